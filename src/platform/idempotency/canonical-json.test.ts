import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonBody } from '../http/json-body.ts'
import { canonicalPieces } from './canonical-json.ts'

const canonicalJson = (value: unknown) => [...canonicalPieces(value)].join('')
const canonical = (text: string) => canonicalJson(parseJsonBody(Buffer.from(text)))

const json = fc.jsonValue({ maxDepth: 5 })

/** Writes the same value with its keys in reverse order, and with white space wherever JSON allows it. */
function writtenOtherwise(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(writtenOtherwise).join(' ,\n')} ]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toReversed()
  return `{\t${members.map(([key, item]) => `${JSON.stringify(key)} : ${writtenOtherwise(item)}`).join(' , ')}}`
}

test('equal JSON values in any notation have one canonical form, which parses to the same value', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      expect(canonical(writtenOtherwise(value))).toBe(canonical(text))
      expect(JSON.parse(canonical(text))).toEqual(JSON.parse(text))
    }),
  )
})

test('different JSON has different canonical forms', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      const [left, right] = [JSON.stringify(one), JSON.stringify(other)]
      const differ = !Object.is(canonical(left), canonical(right))
      expect(differ).toBe(!isSame(JSON.parse(left), JSON.parse(right)))
    }),
  )
})

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return (
    left.size === right.size &&
    [...left].every(([key, item]) => right.has(key) && isSame(item, right.get(key)))
  )
}

test.each([
  [
    'keys in the order of their UTF-16 units',
    '{"\u20ac":1,"\\r":2,"\ufb33":3,"1":4,"\u{1f600}":5,"\x80":6,"\xf6":7}',
    '{"\\r":2,"1":4,"\x80":6,"\xf6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
  ],
  [
    'numbers as ECMAScript writes them',
    '[333333333.33333329, 1E30, 4.50, 2e-3, 1.0, -0]',
    '[333333333.33333329,1e+30,4.5,0.002,1,0]',
  ],
  [
    'all digits of numbers that a double would round',
    '[12345678901234567890, 0.12345678901234567890]',
    '[12345678901234567890,0.12345678901234567890]',
  ],
  [
    'a key that objects inherit',
    '{"__proto__":{"toJSON":1},"constructor":2}',
    '{"__proto__":{"toJSON":1},"constructor":2}',
  ],
  ['escapes', '"\\u0041\\/\\u00e9\\u0007"', '"A/\u00e9\\u0007"'],
])('the canonical form has %s', (_what, sent, expected) => {
  expect(canonical(sent)).toBe(expected)
})

test('a missing body and null have different canonical forms', () => {
  expect(canonicalJson(undefined)).not.toBe(canonicalJson(null))
})

test('the canonical form is produced in pieces, even for one long string', () => {
  for (const text of ['x'.repeat(100_000), `x${'\u{1d7d8}'.repeat(50_000)}`, '\n"'.repeat(50_000)]) {
    const pieces = [...canonicalPieces({ text: [text], more: text })]
    expect(pieces.join('')).toBe(JSON.stringify({ more: text, text: [text] }))
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000)
  }
})
