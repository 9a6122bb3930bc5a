import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeSteps, histories, type Step } from '../../../test/support/merging/steps.ts'
import { type DoneStep, withoutUndoneMerges } from '../../../test/support/merging/without.ts'
import { World } from '../../../test/support/merging/world.ts'
import { companies } from '../../companies/companies.ts'
import { contacts } from '../../contacts/contacts.ts'
import { deals } from '../../deals/deals.ts'
import type { RecordType } from '../record-type.ts'

/** The histories of each record type. `npm run test:properties` runs more. */
const rounds = Number(process.env.HISTORIES ?? 250)

function live(type: RecordType, steps: readonly Step[]): { world: World; done: DoneStep[] } {
  const world = new World(type)
  const done = steps.flatMap((step) => {
    const outcome = world.take(step)
    return outcome === null ? [] : [{ step, outcome }]
  })
  return { world, done }
}

/**
 * Whether a list was written between the undo and the redo of a merge. This write removes no elements of the
 * separated records, so the history without the undo differs.
 */
function writesWhileUndone(done: readonly DoneStep[], undone: ReadonlySet<string>): boolean {
  const out = new Map<string, boolean>()
  for (const { step } of done) {
    if (step.do === 'undo') out.set(step.merge, false)
    if (step.do === 'redo' && out.get(step.merge) && !undone.has(step.merge)) return true
    if (step.do === 'write' || step.do === 'upsert') for (const id of out.keys()) out.set(id, true)
  }
  return false
}

/**
 * The columns of units, such as amount and currency, that a write completed differently in the two histories. A
 * write of only the amount to a deal that shows USD stores USD too, even if the USD came from a merge that is
 * undone later.
 */
function completedOtherwise(world: World, other: World): string[] {
  const seen = ({ completed }: World) => JSON.stringify(completed)
  return seen(world) === seen(other)
    ? []
    : [...world.completed, ...other.completed].flatMap(({ unit }) => unit)
}

const lists = [
  'emails',
  'email',
  'phones',
  'phone',
  'domains',
  'domain',
  'tags',
  'external_ids',
  'aliases',
  'contact_raw_ids',
  'contact_ids',
]

/** Compares a history with the same history without its undone merges. Returns false if a step differs. */
function isTraceless(type: RecordType, steps: readonly Step[]): boolean {
  const { world, done } = live(type, steps)
  const other = withoutUndoneMerges(type, done, world.undone)
  if (!other) return false
  const loose = [
    ...[...world.taken, ...other.taken, ...completedOtherwise(world, other)],
    ...(writesWhileUndone(done, world.undone) ? lists : []),
  ]
  const seen = (each: World) => each.shown(loose)
  expect(seen(world), describeSteps(done.map(({ step }) => step))).toEqual(seen(other))
  return true
}

describe.each([
  ['contact', contacts],
  ['company', companies],
  ['deal', deals],
] as const)('merges of the record type %s can be undone', (entity, type) => {
  test('an undone merge leaves no trace', { timeout: 3_600_000 }, () => {
    let compared = 0
    fc.assert(
      fc.property(histories(entity), (steps) => {
        if (isTraceless(type, steps)) compared++
      }),
      { numRuns: rounds },
    )
    // The other histories are not compared: an upsert found another record, or an archived one.
    expect(compared).toBeGreaterThan(rounds * 0.8)
  })
})

test('clearing the phone of an absorbed record also clears the phone of the records that it absorbed', () => {
  const phone = '+14155550102'
  const created = (id: string, fields = {}): Step => ({
    do: 'create',
    id,
    fields: { first_name: id, ...fields },
  })
  const merged = (survivor: string, loser: string, merge: string): Step => ({
    ...{ do: 'merge', survivor, losers: [loser] },
    ...{ merges: [merge], policies: [null] },
  })
  const steps: Step[] = [
    ...[created('B'), created('C'), created('D', { phone })],
    merged('B', 'D', 'D into B'),
    { do: 'write', id: 'B', fields: { phones: [phone] } },
    merged('C', 'B', 'B into C'),
    { do: 'write', id: 'B', fields: { phone: null } },
  ]
  expect(live(contacts, steps).world.shown()).toMatchObject({ C: { phone: null, phones: [] } })
  for (const merge of ['B into C', 'D into B'])
    expect(isTraceless(contacts, [...steps, { do: 'undo', merge }])).toBe(true)
})
