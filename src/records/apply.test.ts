import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contacts } from '../contacts/contacts.ts'
import { applyPrimary, requireListLimits } from './apply.ts'
import type { Fields, StoredColumns } from './record-type.ts'

const keyOf = (value: string) => value.toLowerCase()

type Row = {
  says: string
  before?: string[]
  one?: string | null
  all?: string[] | null
  add?: true
  after: string[]
}

const rows: Row[] = [
  { says: 'a write of neither changes nothing', before: ['a', 'b'], after: ['a', 'b'] },
  { says: 'the first primary value becomes the list', one: 'a', after: ['a'] },
  { says: 'a new primary value replaces the old one', before: ['a', 'b'], one: 'c', after: ['c', 'b'] },
  {
    says: 'a write of the same primary value changes nothing',
    before: ['a', 'b'],
    one: 'a',
    after: ['a', 'b'],
  },
  {
    says: 'a primary value in another spelling changes only the spelling',
    before: ['a', 'b'],
    one: 'A',
    after: ['A', 'b'],
  },
  {
    says: 'an element that becomes primary moves to the front',
    before: ['a', 'b', 'c'],
    one: 'b',
    after: ['b', 'a', 'c'],
  },
  {
    says: 'an element that becomes primary in another spelling moves to the front in that spelling',
    before: ['a', 'b', 'c'],
    one: 'C',
    after: ['C', 'a', 'b'],
  },
  {
    says: 'null removes the primary value, and the next element becomes primary',
    before: ['a', 'b'],
    one: null,
    after: ['b'],
  },
  { says: 'null for a missing primary value changes nothing', one: null, after: [] },
  { says: 'a list replaces all elements', before: ['a', 'b'], all: ['c', 'd'], after: ['c', 'd'] },
  { says: 'an empty list removes all elements', before: ['a', 'b'], all: [], after: [] },
  { says: 'null for the list removes all elements', before: ['a', 'b'], all: null, after: [] },
  { says: 'a list keeps the first of equal elements', all: ['a', 'b', 'A', 'b'], after: ['a', 'b'] },
  { says: 'the primary value comes before the list', one: 'a', all: ['b', 'c'], after: ['a', 'b', 'c'] },
  {
    says: 'the primary value is not repeated in the list',
    one: 'c',
    all: ['a', 'b', 'C'],
    after: ['c', 'a', 'b'],
  },
  {
    says: 'a primary value and null for the list leave only the primary value',
    before: ['x'],
    one: 'a',
    all: null,
    after: ['a'],
  },
  {
    says: 'a list and null for the primary value make the first element primary',
    before: ['x'],
    one: null,
    all: ['a'],
    after: ['a'],
  },
  { says: 'with add, a primary value is appended', before: ['a'], one: 'b', add: true, after: ['a', 'b'] },
  {
    says: 'with add, a list is appended',
    before: ['a'],
    one: 'b',
    all: ['c', 'a'],
    add: true,
    after: ['a', 'b', 'c'],
  },
  {
    says: 'with add, an existing element keeps its spelling',
    before: ['a'],
    all: ['A'],
    add: true,
    after: ['a'],
  },
  { says: 'with add, null removes nothing', before: ['a'], one: null, all: null, add: true, after: ['a'] },
]

describe('a primary value and its list', () => {
  test.each(rows)(
    'the primary value and its list fit each other after a write: $says',
    ({ before = [], one, all, add = false, after }) => {
      expect(applyPrimary(before, one, all, keyOf, add)).toEqual(after)
    },
  )

  test('a list has no duplicates, and its named primary value comes first', () => {
    const values = fc.array(fc.constantFrom('a', 'A', 'b', 'B', 'c', 'd'), { maxLength: 6 })
    const unique = (list: string[]) => new Set(list.map(keyOf)).size === list.length
    fc.assert(
      fc.property(
        values,
        fc.option(fc.constantFrom('a', 'B', 'e'), { nil: undefined }),
        fc.option(values, { nil: undefined }),
        fc.boolean(),
        (start, one, all, add) => {
          const before = applyPrimary([], undefined, start, keyOf, false)
          const after = applyPrimary(before, one, all, keyOf, add)
          expect(unique(after)).toBe(true)
          const named = [...(one ? [one] : []), ...(all ?? [])].map(keyOf)
          expect(after.map(keyOf)).toEqual(expect.arrayContaining(named))
          if (add) expect(after.slice(0, before.length)).toEqual(before)
          else if (one) expect(after[0]).toBe(one)
          expect(applyPrimary(after, one, add ? all : undefined, keyOf, add)).toEqual(after)
        },
      ),
    )
  })
})

const apply = (before: StoredColumns | null, fields: Fields, add = false) =>
  contacts.apply(before, fields, { defaultCountry: null }, add)

test('a given value replaces a text field, a missing value keeps it, and a blank clears it', () => {
  const before = apply(null, { first_name: '1', last_name: '2', city: '3' })
  expect(apply(before, { first_name: null, last_name: '' })).toMatchObject({
    ...{ first_name: null, last_name: null, city: '3', region: null },
  })
})

test('a change replaces tags and external ids, and an upsert adds to them', () => {
  const before = apply(null, {
    ...{ tags: ['a'], external_ids: { x: '1', y: '2' }, custom: { a: 1 }, source: 'import' },
  })
  const given = { tags: ['b', 'a', 'b'], external_ids: { y: '3' }, custom: { b: 2 } }
  expect(apply(before, given)).toMatchObject({ ...given, tags: ['b', 'a'], source: 'import' })
  expect(apply(before, given, true)).toMatchObject({
    tags: ['a', 'b'],
    external_ids: { x: '1', y: '3' },
    custom: { b: 2 },
  })
  const nothing = { tags: null, external_ids: null, custom: null }
  expect(apply(before, nothing)).toMatchObject({ tags: [], external_ids: {}, custom: {} })
  expect(apply(before, nothing, true)).toMatchObject({ tags: ['a'], external_ids: { x: '1', y: '2' } })
  expect(apply(null, {})).toMatchObject({ tags: [], external_ids: {}, custom: {}, source: 'api' })
  expect(apply(null, { source: null }).source).toBeNull()
})

test('a list above its limit, for example after a merge, is kept, but cannot grow', () => {
  const state = (count: number) => ({
    tags: Array.from({ length: count }, (_, n) => `${n}`),
    external_ids: {},
  })
  const grows = (before: number | null, after: number) => () =>
    requireListLimits(before === null ? null : state(before), state(after), { tags: 3, external_ids: 3 })
  for (const [before, after] of [
    [null, 3],
    [3, 3],
    [5, 5],
    [5, 4],
  ] as const)
    expect(grows(before, after)).not.toThrow()
  for (const [before, after] of [
    [null, 4],
    [3, 4],
    [5, 6],
  ] as const)
    expect(grows(before, after)).toThrow()
})
