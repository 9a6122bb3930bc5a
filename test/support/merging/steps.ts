import fc from 'fast-check'
import type { Entity } from './naive-rules.ts'

/** Records have short names instead of ids. */
export type Step =
  | { do: 'create'; id: string; fields: Record<string, unknown> }
  | { do: 'write'; id: string; fields: Record<string, unknown> }
  | { do: 'upsert'; id: string; matchOn: string; fields: Record<string, unknown> }
  | { do: 'archive' | 'restore' | 'erase'; id: string }
  | {
      do: 'merge'
      survivor: string
      losers: string[]
      merges: string[]
      policies: (Record<string, string> | null)[]
    }
  | { do: 'undo' | 'redo'; merge: string }

const ids = ['A', 'B', 'C', 'D']
const some = <Value>(...values: Value[]) => fc.constantFrom(...values)
const email = some('a@x.io', 'b@x.io', 'c@x.io', 'd@x.io', 'n@x.io')
const phone = some('+14155550100', '+14155550101', '+14155550102')
const owner = fc.record({ owner_email: some('o@x.io', 'p@x.io', 'q@x.io', null) })
const tags = fc.record({ tags: fc.subarray(['x', 'y', 'z']) })
const externalIds = fc.record({
  external_ids: some({ crm: '1' }, { crm: '2' }, { crm: '2', erp: '1' }, {}),
})
const byExternalId = some('1', '2').map((crm): Match => ['external_id', { external_ids: { crm } }])

type Match = [matchOn: string, fields: Record<string, unknown>]

type Kind = {
  /** The field that identifies the record. Without it, the record would be empty. */
  named: string
  writes: fc.Arbitrary<Record<string, unknown>>[]
  matches: fc.Arbitrary<Match>
  /** Fields for which a merge may choose the record. */
  chosen: string[]
}

export const kinds: Record<Entity, Kind> = {
  contact: {
    named: 'first_name',
    writes: [
      owner,
      fc.record({ city: some('Rome', 'Oslo', null) }),
      fc.record({ lifecycle_stage: some('subscriber', 'lead', 'customer', 'other', null) }),
      fc.record({ consent: fc.record({ email: some('granted', 'denied', 'unknown') }) }),
      fc
        .tuple(some('granted', 'denied'), some('form', 'call'))
        .map(([email, source]) => ({ consent: { email }, consent_details: { email: { source } } })),
      fc.record({ consent_details: some(null, { email: null }) }),
      fc.record({ custom: some({ n: 1 }, { n: 2, m: 1 }, { n: null, k: 1 }, { k: null }, null) }),
      tags,
      tags,
      fc.record({ emails: fc.uniqueArray(email, { maxLength: 3 }) }),
      fc.record({ email: fc.option(email) }),
      fc.record({ phones: fc.uniqueArray(phone, { maxLength: 2 }) }),
      fc.record({ phone: fc.option(phone) }),
      externalIds,
    ],
    matches: fc.oneof(
      email.map((value): Match => ['email', { email: value }]),
      byExternalId,
    ),
    chosen: ['city', 'lifecycle_stage', 'owner_email', 'custom'],
  },
  company: {
    named: 'name',
    writes: [
      owner,
      fc.record({ city: some('Rome', 'Oslo', null) }),
      fc.record({ employee_count: some(1, 2, null) }),
      tags,
      fc.record({ domains: fc.subarray(['a.io', 'b.io', 'c.io']) }),
      fc.record({ domain: some('a.io', 'b.io', 'n.io', null) }),
      fc.record({ phone: fc.option(phone) }),
      externalIds,
    ],
    matches: fc.oneof(
      some('a.io', 'c.io').map((domain): Match => ['domain', { domain }]),
      byExternalId,
    ),
    chosen: ['city', 'owner_email', 'employee_count'],
  },
  deal: {
    named: 'name',
    writes: [
      fc.record({ amount_cents: some(1, 2), currency: some('USD', 'EUR') }),
      fc.record({ amount_cents: some(3, null) }),
      fc.record({ stage: some('New', 'Proposal') }),
      fc.record({ expected_close_on: some('2026-12-31', null), probability: some(0, 50, null) }),
      owner,
      fc.record({ contact_ids: fc.subarray(['p', 'q', 'r']) }),
      tags,
      externalIds,
      fc.record({ currency: some('USD', 'EUR', null) }),
      fc.record({ amount_cents: some(null), currency: some(null) }),
    ],
    matches: byExternalId,
    chosen: ['amount_cents', 'owner_email', 'stage'],
  },
}

/** Histories that create records first. Merges are named m0, m1 and so on. Some steps are impossible. */
export function histories(entity: Entity, maxLength = 14): fc.Arbitrary<Step[]> {
  const { named, writes, matches, chosen } = kinds[entity]
  const id = some(...ids)
  const fields = fc
    .array(fc.oneof(...writes), { minLength: 1, maxLength: 2 })
    .map((parts): Record<string, unknown> => Object.assign({}, ...parts))
  const created = ids.map((each) =>
    fields.map((more): Step => ({ do: 'create', id: each, fields: { ...more, [named]: each } })),
  )
  const steps = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: some('write' as const), id, fields }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: some('merge' as const),
        ids: fc.shuffledSubarray(ids, { minLength: 2, maxLength: 3 }),
        policies: fc.option(
          fc.dictionary(some(...chosen), some('survivor', 'loser'), { maxKeys: 2, noNullPrototype: true }),
        ),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: some('undo' as const), merge: fc.nat(11) }) },
    { weight: 2, arbitrary: fc.record({ do: some('redo' as const), merge: fc.nat(11) }) },
    { weight: 2, arbitrary: fc.record({ do: some('upsert' as const), match: matches, fields }) },
    { weight: 1, arbitrary: fc.record({ do: some('archive' as const, 'restore' as const), id }) },
  )
  return fc.tuple(fc.tuple(...created), fc.array(steps, { maxLength, size: 'max' })).map(([first, rest]) => {
    let [merges, records] = [0, ids.length]
    const numbered = rest.map((step): Step => {
      switch (step.do) {
        case 'merge': {
          const [survivor, ...losers] = step.ids as [string, ...string[]]
          const policies = losers.map(() => step.policies)
          return { do: 'merge', survivor, losers, merges: losers.map(() => `m${merges++}`), policies }
        }
        case 'upsert': {
          const [matchOn, key] = step.match
          const id = String.fromCharCode(65 + records++)
          return { do: 'upsert', id, matchOn, fields: { [named]: id, ...step.fields, ...key } }
        }
        case 'undo':
        case 'redo':
          return { do: step.do, merge: `m${step.merge % Math.max(merges, 1)}` }
        default:
          return step
      }
    })
    return [...first, ...numbered]
  })
}

/** A redo hides the amount of deal A: a write cleared C's currency, and then A absorbs C again. */
export const amountHiddenByRedo: Step[] = [
  { do: 'create', id: 'A', fields: { name: 'A', amount_cents: 1, currency: 'USD' } },
  { do: 'create', id: 'C', fields: { name: 'C' } },
  { do: 'merge', survivor: 'A', losers: ['C'], merges: ['m0'], policies: [null] },
  { do: 'undo', merge: 'm0' },
  { do: 'write', id: 'C', fields: { currency: null } },
  { do: 'redo', merge: 'm0' },
  { do: 'write', id: 'A', fields: { currency: 'USD' } },
]

/** A merge shows a written member of `custom`, and a second write follows. */
export const patchUsedByMerge: Step[] = [
  { do: 'create', id: 'A', fields: { first_name: 'A', custom: { n: 1 } } },
  { do: 'create', id: 'B', fields: { first_name: 'B' } },
  { do: 'create', id: 'C', fields: { first_name: 'C' } },
  { do: 'merge', survivor: 'B', losers: ['C'], merges: ['m0'], policies: [null] },
  { do: 'write', id: 'B', fields: { custom: { n: 2 } } },
  { do: 'merge', survivor: 'A', losers: ['B'], merges: ['m1'], policies: [null] },
  { do: 'write', id: 'B', fields: { custom: { m: 1 } } },
  { do: 'undo', merge: 'm1' },
  { do: 'redo', merge: 'm1' },
]

/** The primary address of an absorbed record is removed, and comes back with an upsert: it is the last one now. */
export const primaryComesBack: Step[] = [
  { do: 'create', id: 'B', fields: { first_name: 'B' } },
  { do: 'create', id: 'C', fields: { emails: ['a@x.io', 'n@x.io'], first_name: 'C' } },
  { do: 'merge', survivor: 'B', losers: ['C'], merges: ['m0'], policies: [null] },
  { do: 'write', id: 'C', fields: { email: null } },
  { do: 'upsert', id: 'E', matchOn: 'email', fields: { emails: ['n@x.io', 'a@x.io'] } },
]

export const describeSteps = (steps: readonly Step[]): string =>
  steps.map(({ do: what, ...rest }, index) => `${index + 1} ${what} ${JSON.stringify(rest)}`).join('\n')
