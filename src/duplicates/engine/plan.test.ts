import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { contacts } from '../../contacts/contacts.ts'
import { runUnsliced } from '../../platform/slices.ts'
import { defaultSettings, type EngineMode } from '../settings.ts'
import type { CanonicalRecord } from './canonical-records.ts'
import { readComparable } from './comparable-record.ts'
import { defaultMatcher } from './decision-model.ts'
import { type DecisionModel, judge } from './judge.ts'
import { type MergePlan, planMerges } from './plan.ts'

const matcher = defaultMatcher('contact', 0)

type Fields = Record<string, unknown>

/** A contact with few possible values, so that records often share some. */
const contact = fc.record<Fields>(
  {
    first_name: fc.constantFrom('Ada', 'Adah', 'Ralph', 'Grace'),
    last_name: fc.constantFrom('Lovelace', 'Hopper', 'Lovelace Jr'),
    email: fc.constantFrom('a@x.example', 'b@x.example', 'c@y.example', 'info@x.example'),
    phone: fc.constantFrom('+14155550100', '+14155550101'),
    external_ids: fc.constantFrom({ crm: '1' }, { crm: '2' }, { shop: '1' }),
  },
  { requiredKeys: [] },
)

const canonicalRecordOf = (fields: Fields, place: number): CanonicalRecord => {
  const recordId = `0190a3c4-0000-7000-8000-${String(place).padStart(12, '0')}`
  const state = contacts.apply(null, contacts.input.parse(fields), { defaultCountry: null }, false)
  return {
    rootId: recordId,
    version: 1,
    createdAt: 0,
    hasExternalId: fields.external_ids !== undefined,
    isClaimed: false,
    members: [{ recordId, comparable: readComparable.contact(state, matcher.matcher) }],
  }
}

function plan(
  records: readonly CanonicalRecord[],
  mode: EngineMode,
  different: readonly string[] = [],
): MergePlan {
  const model: DecisionModel = { ...matcher, settings: { ...defaultSettings, mode } }
  return runUnsliced(
    planMerges({
      records,
      judge: (one, other) => judge('contact', model, one.comparable, other.comparable),
      different: new Set(different),
      referrers: new Map(),
    }),
  )
}

function after(records: readonly CanonicalRecord[], { merges }: MergePlan): CanonicalRecord[] {
  const left = new Map(records.map((record) => [record.rootId, record]))
  for (const { survivorId, loserId } of merges) {
    const [survivor, loser] = [left.get(survivorId)!, left.get(loserId)!]
    left.delete(loserId)
    left.set(survivorId, {
      ...survivor,
      hasExternalId: survivor.hasExternalId || loser.hasExternalId,
      isClaimed: survivor.isClaimed && loser.isClaimed,
      members: [...survivor.members, ...loser.members],
    })
  }
  return [...left.values()]
}

const pairs = (proposals: MergePlan['proposals']) =>
  proposals.map(({ survivorId, loserId, reason }) => `${survivorId} ${loserId} ${reason.rule}`).sort()

/** The groups after the merges, each as the sorted texts of its members. */
function partition(records: readonly CanonicalRecord[], merged: MergePlan): string[] {
  return after(records, merged)
    .map(({ members }) =>
      members
        .map(({ comparable }) => comparable.features.join('|'))
        .sort()
        .join(' & '),
    )
    .sort()
}

const world = fc.array(contact, { minLength: 2, maxLength: 8 })

test('mode auto merges exactly the proposals that mode shadow marks with would_apply', () => {
  fc.assert(
    fc.property(world, (people) => {
      const records = people.map(canonicalRecordOf)
      const [shadow, auto] = [plan(records, 'shadow'), plan(records, 'auto')]
      expect(shadow.merges).toEqual([])
      expect(pairs(auto.merges)).toEqual(pairs(shadow.proposals.filter(({ wouldApply }) => wouldApply)))
      expect(pairs(auto.proposals)).toEqual(pairs(shadow.proposals.filter(({ wouldApply }) => !wouldApply)))
    }),
  )
})

test('planning again after the merges merges nothing more and makes the same proposals', () => {
  fc.assert(
    fc.property(world, (people) => {
      const records = people.map(canonicalRecordOf)
      const first = plan(records, 'auto')
      const second = plan(after(records, first), 'auto')
      expect(second.merges).toEqual([])
      expect(pairs(second.proposals)).toEqual(pairs(first.proposals))
    }),
  )
})

test('a plan compares no two ids that are merged already', () => {
  const people = Array.from({ length: 60 }, (_, place) => ({
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `ada${place}@x.example`,
  }))
  const [first, second] = [people.slice(0, 30), people.slice(30)].map((group, half) => {
    const [root, ...others] = group.map((fields, place) => canonicalRecordOf(fields, 30 * half + place))
    return { ...root!, members: [root!, ...others].flatMap(({ members }) => members) }
  })
  let judged = 0
  const model: DecisionModel = { ...matcher, settings: defaultSettings }
  runUnsliced(
    planMerges({
      records: [first!, second!],
      judge: (one, other) => {
        judged++
        return judge('contact', model, one.comparable, other.comparable)
      },
      different: new Set(),
      referrers: new Map(),
    }),
  )
  expect(judged).toBe(30 * 30)
})

test('the order of the records does not change the plan', () => {
  const shuffled = world.chain((records) =>
    fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
  )
  fc.assert(
    fc.property(shuffled, ([records, others]) => {
      const [one, other] = [records.map(canonicalRecordOf), others.map(canonicalRecordOf)]
      expect(partition(other, plan(other, 'auto'))).toEqual(partition(one, plan(one, 'auto')))
    }),
  )
})

test('records with the verdict different never end in one group, not even through a third record', () => {
  fc.assert(
    fc.property(world, fc.nat(), fc.nat(), (people, a, b) => {
      const records = people.map(canonicalRecordOf)
      const [one, other] = [records[a % records.length]!, records[b % records.length]!]
      fc.pre(one !== other)
      const ids = [one.rootId, other.rootId].sort()
      for (const mode of ['auto', 'shadow'] as const) {
        const found = plan(records, mode, [ids.join(' ')])
        const joined = after(records, {
          merges: [...found.merges, ...found.proposals.filter((each) => each.wouldApply)],
          proposals: [],
        })
        const together = joined.find(({ members }) => members.some(({ recordId }) => recordId === ids[0]))!
        expect(together.members.map(({ recordId }) => recordId)).not.toContain(ids[1])
        expect(pairs(found.proposals).some((pair) => ids.every((id) => pair.includes(id)))).toBe(false)
      }
    }),
  )
})

test('a record with only an e-mail address is not merged if two people share that address', () => {
  const email = 'a@x.example'
  const records = [
    { first_name: 'Ada', last_name: 'Lovelace', email },
    { first_name: 'Grace', last_name: 'Hopper', email },
    { email },
  ].map(canonicalRecordOf)
  expect(plan(records.slice(1), 'auto').merges).toHaveLength(1)
  const all = plan(records, 'auto')
  expect(all.merges).toEqual([])
  expect(all.proposals.map(({ reason }) => reason.rule).sort()).toEqual([
    'same_email',
    'same_email',
    'shared_mailbox',
  ])
})

test('the evidence names the third record that links two records', () => {
  const name = { first_name: 'Ada', last_name: 'Lovelace' }
  const records = [
    { ...name, email: 'a@x.example', external_ids: { crm: '1' } },
    { ...name, email: 'a@x.example', phone: '+14155550100' },
    { ...name, phone: '+14155550100' },
  ].map(canonicalRecordOf)
  const { proposals } = plan(records, 'shadow')
  expect(proposals).toHaveLength(2)
  const last = proposals.find(({ loserId }) => loserId === records[2]!.rootId)!
  expect(last.survivorId).toBe(records[0]!.rootId)
  expect(last.reason.rule).toBe('same_phone_and_name')
  expect(last.reason.evidence![0]!.level).toContain(records[1]!.rootId)
})
