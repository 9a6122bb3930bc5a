import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runUnsliced } from '../platform/slices.ts'
import { visibleText } from '../platform/visible-text.ts'
import { limitingJson, visibleJson } from './result-json.ts'

const unusual = fc.constantFrom(
  ...[
    '\b',
    '\f',
    '\u0000',
    '\u001f',
    '\u007f',
    '\u0085',
    '\u200b',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\u{e0041}',
  ],
  ...['\ud800', '\n', '"', '\\', '\\u0000', '\\b', 'a', 'é', '😀'],
)
const texts = fc.string({ unit: unusual, maxLength: 6 })

test('no text in the JSON has an invisible character, and other characters stay', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ text: texts, more: fc.anything() })), (value) => {
      const visible = (_name: string, each: unknown) => (typeof each === 'string' ? visibleText(each) : each)
      expect(visibleJson(value)).toBe(JSON.stringify(value, visible))
    }),
    { numRuns: 2_000 },
  )
})

const limited = (result: unknown) => runUnsliced(limitingJson(result))

test('a result of at most 40,000 characters is written as a whole', () => {
  const texts = fc.array(fc.array(fc.record({ text: fc.string(), list: fc.array(fc.anything()) })))
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.anything(), texts)), (result) => {
      fc.pre(visibleJson(result).length <= 40_000)
      expect(limited(result)).toBe(visibleJson(result))
    }),
    { numRuns: 50 },
  )
  const resultOf = (length: number) => ({
    records: ['a', 'x'.repeat(length), 'b'],
    total: 3,
    next_cursor: null,
  })
  const room = 40_000 - JSON.stringify(resultOf(0)).length
  expect(limited(resultOf(room))).toBe(JSON.stringify(resultOf(room)))
  expect(JSON.parse(limited(resultOf(room + 1)))).toMatchObject({ cut: expect.stringMatching(/^2 more/) })
})

/** Items of a list, and how many of them were serialized. */
function counted(count: number, text: string) {
  const serialized = new Set<number>()
  const items = Array.from({ length: count }, (_, number) => ({
    toJSON: () => {
      serialized.add(number)
      return { number, text }
    },
  }))
  return { items, serialized }
}

test('items of a result that do not fit into 40,000 characters are counted, but not serialized', () => {
  const { items, serialized } = counted(5_000, 'x'.repeat(980))
  const text = limited({ records: items, total: 5_000, next_cursor: 'next' })
  const { records, ...others } = JSON.parse(text)
  expect(others).toEqual({
    total: 5_000,
    cut: '4961 more: ask for fewer items at a time, or for fewer fields',
  })
  expect(records.map(({ number }: { number: number }) => number)).toEqual([...Array(39).keys()])
  expect(serialized.size).toBe(40)
  expect(text.length).toBeLessThanOrEqual(40_000)
})

test('of items that are too long for a result, only the first is read, and shortened', () => {
  const items = Array.from({ length: 50 }, (_, number) => {
    const fields = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`f${at}`, 'x\u200b'.repeat(800)]),
    )
    return number === 0 ? fields : { ...fields, toJSON: () => expect.unreachable('an item that is left out') }
  })
  const result = { records: items, total: 50, next_cursor: null }
  const text = limited(result)
  // Each attempt to write the record is a step.
  expect([...limitingJson(result)].length).toBeGreaterThan(4)
  expect(text.length).toBeLessThanOrEqual(40_000)
  const { records, total, cut } = JSON.parse(text)
  expect(cut).toBe(
    '49 more: ask for fewer items at a time, or for fewer fields; long texts and lists are shortened: ask for fewer fields',
  )
  expect([records.length, total, records[0].f0]).toEqual([1, 50, `${'x'.repeat(500)}…`])
})

test('characters that are removed do not count', () => {
  const result = { records: Array.from({ length: 50 }, () => 'x\u200b'.repeat(750)), total: 50 }
  expect(limited(result)).toBe(visibleJson(result))
})
