import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { contacts } from '../../contacts/contacts.ts'
import { type Mode, shipped } from '../settings.ts'
import { type Judging, judge } from './judge.ts'
import { shippedMatcher } from './judging.ts'
import { type Plan, planFor } from './plan.ts'
import type { Subject } from './subjects.ts'
import { portraits } from './traits.ts'

const matcher = shippedMatcher('contact', 0)

type Fields = Record<string, unknown>

/** Few people, few addresses and few phones, so that much is shared by chance. */
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

const subjectOf = (fields: Fields, place: number): Subject => {
  const recordId = `0190a3c4-0000-7000-8000-${String(place).padStart(12, '0')}`
  const state = contacts.apply(null, contacts.fields.parse(fields), { defaultCountry: null }, false)
  return {
    rootId: recordId,
    version: 1,
    createdAt: 0,
    hasExternalId: fields.external_ids !== undefined,
    members: [{ recordId, portrait: portraits.contact(state, matcher.matcher) }],
  }
}

function plan(subjects: readonly Subject[], mode: Mode, different: readonly string[] = []): Plan {
  const judging: Judging = { ...matcher, settings: { ...shipped, mode } }
  return planFor({
    subjects,
    judge: (one, other) => judge('contact', judging, one.portrait, other.portrait),
    different: new Set(different),
    children: new Map(),
  })
}

/** What stands after the merges of a plan. */
function after(subjects: readonly Subject[], { merges }: Plan): Subject[] {
  const left = new Map(subjects.map((subject) => [subject.rootId, subject]))
  for (const { survivorId, loserId } of merges) {
    const [survivor, loser] = [left.get(survivorId)!, left.get(loserId)!]
    left.delete(loserId)
    left.set(survivorId, {
      ...survivor,
      hasExternalId: survivor.hasExternalId || loser.hasExternalId,
      members: [...survivor.members, ...loser.members],
    })
  }
  return [...left.values()]
}

const pairs = (proposals: Plan['shadows']) =>
  proposals.map(({ survivorId, loserId, why }) => `${survivorId} ${loserId} ${why.rule}`).sort()

/** Groups that the merges of a plan make, each as the sorted texts of what its records say. */
function partition(subjects: readonly Subject[], merged: Plan): string[] {
  return after(subjects, merged)
    .map(({ members }) =>
      members
        .map(({ portrait }) => portrait.features.join('|'))
        .sort()
        .join(' & '),
    )
    .sort()
}

const world = fc.array(contact, { minLength: 2, maxLength: 8 })

test('auto merges exactly what shadow says would be applied, and shows the same rest', () => {
  fc.assert(
    fc.property(world, (records) => {
      const subjects = records.map(subjectOf)
      const [shadow, auto] = [plan(subjects, 'shadow'), plan(subjects, 'auto')]
      expect(shadow.merges).toEqual([])
      expect(pairs(auto.merges)).toEqual(pairs(shadow.shadows.filter(({ wouldApply }) => wouldApply)))
      expect(pairs(auto.shadows)).toEqual(pairs(shadow.shadows.filter(({ wouldApply }) => !wouldApply)))
    }),
  )
})

test('a second run merges nothing, and proposes the same', () => {
  fc.assert(
    fc.property(world, (records) => {
      const subjects = records.map(subjectOf)
      const first = plan(subjects, 'auto')
      const second = plan(after(subjects, first), 'auto')
      expect(second.merges).toEqual([])
      expect(pairs(second.shadows)).toEqual(pairs(first.shadows))
    }),
  )
})

test('the order in which records came makes no difference', () => {
  const shuffled = world.chain((records) =>
    fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
  )
  fc.assert(
    fc.property(shuffled, ([records, others]) => {
      const [one, other] = [records.map(subjectOf), others.map(subjectOf)]
      expect(partition(other, plan(other, 'auto'))).toEqual(partition(one, plan(one, 'auto')))
    }),
  )
})

test('what was said to be different never comes together, whoever is between', () => {
  fc.assert(
    fc.property(world, fc.nat(), fc.nat(), (records, a, b) => {
      const subjects = records.map(subjectOf)
      const [one, other] = [subjects[a % subjects.length]!, subjects[b % subjects.length]!]
      fc.pre(one !== other)
      const ids = [one.rootId, other.rootId].sort()
      for (const mode of ['auto', 'shadow'] as const) {
        const found = plan(subjects, mode, [ids.join(' ')])
        const joined = after(subjects, {
          merges: [...found.merges, ...found.shadows.filter((each) => each.wouldApply)],
          shadows: [],
        })
        const together = joined.find(({ members }) => members.some(({ recordId }) => recordId === ids[0]))!
        expect(together.members.map(({ recordId }) => recordId)).not.toContain(ids[1])
        expect(pairs(found.shadows).some((pair) => ids.every((id) => pair.includes(id)))).toBe(false)
      }
    }),
  )
})

test('a record with nothing but an address of two people is none of them for sure', () => {
  const email = 'a@x.example'
  const subjects = [
    { first_name: 'Ada', last_name: 'Lovelace', email },
    { first_name: 'Grace', last_name: 'Hopper', email },
    { email },
  ].map(subjectOf)
  expect(plan(subjects.slice(1), 'auto').merges).toHaveLength(1)
  const all = plan(subjects, 'auto')
  expect(all.merges).toEqual([])
  expect(all.shadows.map(({ why }) => why.rule).sort()).toEqual([
    'same_email',
    'same_email',
    'shared_mailbox',
  ])
})

test('one that is linked by a third says so', () => {
  const name = { first_name: 'Ada', last_name: 'Lovelace' }
  const subjects = [
    { ...name, email: 'a@x.example', external_ids: { crm: '1' } },
    { ...name, email: 'a@x.example', phone: '+14155550100' },
    { ...name, phone: '+14155550100' },
  ].map(subjectOf)
  const { shadows } = plan(subjects, 'shadow')
  expect(shadows).toHaveLength(2)
  const last = shadows.find(({ loserId }) => loserId === subjects[2]!.rootId)!
  expect(last.survivorId).toBe(subjects[0]!.rootId)
  expect(last.why.rule).toBe('same_phone_and_name')
  expect(last.why.evidence![0]!.level).toContain(subjects[1]!.rootId)
})
