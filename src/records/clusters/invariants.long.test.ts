import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  amountHiddenByRedo,
  describeSteps,
  histories,
  type Step,
} from '../../../test/support/merging/steps.ts'
import { World } from '../../../test/support/merging/world.ts'
import { companies } from '../../companies/companies.ts'
import { contacts } from '../../contacts/contacts.ts'
import { deals } from '../../deals/deals.ts'
import type { RecordType } from '../record-type.ts'
import { viewOf } from './view.ts'

const numRuns = Number(process.env.HISTORIES ?? 60)

function live(type: RecordType, steps: readonly Step[]): World {
  const world = new World(type)
  for (const step of steps) world.take(step)
  return world
}

describe.each([
  ['contact', contacts],
  ['company', companies],
  ['deal', deals],
] as const)('clusters of the record type %s keep their rules', (entity, type) => {
  const examples: [Step[]][] = type === deals ? [[amountHiddenByRedo]] : []
  const always = (name: string, holds: (steps: Step[]) => void) =>
    test(name, { timeout: 3_600_000 }, () => {
      fc.assert(fc.property(histories(entity), holds), { numRuns, examples })
    })

  always('a record shows exactly what follows from its facts and merges', (steps) => {
    const world = new World(type)
    for (const step of steps) {
      world.take(step)
      for (const [id, { state, cluster }] of world.records) {
        if (!cluster || world.root(id) !== id) continue
        const view = viewOf(type, cluster)
        const derived =
          type.merging.adjust?.(view, { defaultCountry: null, stages: ['New', 'Proposal'] }) ?? view
        const own = Object.keys(derived).filter(
          (column) => !['company_id', 'contact_ids', 'owner_id'].includes(column),
        )
        for (const column of own)
          expect(state[column] ?? null, `${describeSteps(steps)}\n${column}`).toEqual(derived[column] ?? null)
      }
    }
  })

  always(
    'undoing and redoing a merge restores the state, and undoing two merges in either order gives one state',
    (steps) => {
      const world = live(type, steps)
      const before = world.shown()
      const undoable = [...world.links.keys()].filter((merge) => {
        if (world.take({ do: 'undo', merge }) === null) return false
        expect(world.take({ do: 'redo', merge }), describeSteps(steps)).toBe('done')
        expect(world.shown(), describeSteps(steps)).toEqual(before)
        return true
      })
      const [one, two] = undoable
      if (!one || !two) return
      const [forth, back] = [live(type, steps), live(type, steps)]
      for (const merge of [one, two]) forth.take({ do: 'undo', merge })
      for (const merge of [two, one]) back.take({ do: 'undo', merge })
      expect(forth.shown(), describeSteps(steps)).toEqual(back.shown())
    },
  )

  always(
    'a merge keeps every denied consent and every list element, and its undo restores both records',
    (steps) => {
      const world = live(type, steps)
      const before = world.shown()
      const [survivor, loser] = Object.keys(before).filter((id) => before[id]?.status === 'active')
      if (!survivor || !loser) return
      const merge = { do: 'merge' as const, survivor, losers: [loser], merges: ['last'], policies: [null] }
      if (world.take(merge) === null) return
      const shown = world.shown()[survivor]
      for (const each of [before[survivor], before[loser]]) {
        for (const consent of ['consent_email', 'consent_phone'])
          if (each?.[consent] === 'denied') expect(shown?.[consent], describeSteps(steps)).toBe('denied')
        for (const column of Object.keys(type.merging.lists).filter((list) => list !== 'external_ids'))
          expect(shown?.[column], describeSteps(steps)).toEqual(
            expect.arrayContaining(each?.[column] as unknown[]),
          )
      }
      world.take({ do: 'undo', merge: 'last' })
      expect(world.shown(), describeSteps(steps)).toEqual(before)
    },
  )
})

describe('histories that failed once', () => {
  const made = (id: string, fields: object): Step => ({
    do: 'create',
    id,
    fields: { first_name: id, name: id, ...fields },
  })
  const merged = (survivor: string, ...losers: string[]): Step => ({
    ...{ do: 'merge', survivor, losers },
    ...{ merges: losers.map((loser) => `${loser} into ${survivor}`), policies: losers.map(() => null) },
  })
  const undone = (merge: string): Step => ({ do: 'undo', merge })
  const wrote = (id: string, fields: Record<string, unknown>): Step => ({ do: 'write', id, fields })

  test.each<[string, RecordType, Step[], Record<string, object>]>([
    [
      'a write of only the amount changes no currency',
      deals,
      [
        made('A', { amount_cents: 1, currency: 'USD' }),
        made('B', { amount_cents: 2, currency: 'EUR' }),
        merged('A', 'B'),
        wrote('B', { amount_cents: 3 }),
        undone('B into A'),
      ],
      { A: { amount_cents: 1, currency: 'USD' }, B: { amount_cents: 3, currency: 'EUR' } },
    ],
    [
      'an amount written while a merged currency is shown keeps this currency after the undo',
      deals,
      [
        made('A', {}),
        made('B', { amount_cents: 1, currency: 'USD' }),
        made('C', { amount_cents: 2, currency: 'EUR' }),
        merged('A', 'B'),
        merged('A', 'C'),
        wrote('A', { amount_cents: 3 }),
        undone('B into A'),
      ],
      { A: { amount_cents: 3, currency: 'USD' }, B: { amount_cents: 1, currency: 'USD' } },
    ],
    [
      'a cleared list stays empty after the undo of the merge that hid its element',
      contacts,
      [
        made('A', {}),
        made('B', {}),
        made('C', { tags: ['y'] }),
        merged('C', 'A'),
        merged('B', 'C'),
        wrote('A', { tags: [] }),
        wrote('B', { tags: [] }),
        undone('A into C'),
      ],
      { B: { tags: [] }, A: { tags: [] } },
    ],
    [
      'a new address of an absorbed record replaces only its own address',
      contacts,
      [
        made('A', { email: 'a@x.io' }),
        made('B', { email: 'b@x.io' }),
        merged('A', 'B'),
        wrote('B', { email: 'n@x.io' }),
        undone('B into A'),
      ],
      { A: { emails: ['a@x.io'] }, B: { emails: ['n@x.io'] } },
    ],
    [
      'an upsert with a second id of one system removes no ids of other records',
      contacts,
      [
        made('A', { external_ids: { crm: '1' } }),
        made('B', { email: 'b@x.io', external_ids: { crm: '2' } }),
        merged('A', 'B'),
        { do: 'upsert', id: 'U', matchOn: 'email', fields: { email: 'b@x.io', external_ids: { crm: '3' } } },
      ],
      { A: { external_ids: { crm: '1' }, aliases: [['crm', '3']] } },
    ],
    [
      'an amount that is hidden because it has no currency is shown with the next currency',
      deals,
      amountHiddenByRedo,
      { A: { amount_cents: 1, currency: 'USD' } },
    ],
  ])('%s', (_name, type, steps, expected) => {
    expect(live(type, steps).shown()).toMatchObject(expected)
  })
})
