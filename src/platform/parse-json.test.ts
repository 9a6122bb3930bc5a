import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import './parse-json.ts'

// Each pair: a name that another object has at the same place, and JSON of a name that V8 then reads wrongly.
test.each([
  ['\\', '"\\n"', '\n'],
  ['\\', '"\\""', '"'],
  ['gr\\u0', '"gr\\u00f6\\u00dfe"', 'größe'],
  ['a\\n', '"a\\nb"', 'a\nb'],
  ['é\\', '"é\\""', 'é"'],
])('after the name %j, the name %s is read correctly', (before, written, name) => {
  JSON.parse(JSON.stringify({ first: [], [before]: 0 }))
  expect(Object.keys(JSON.parse(`{"first":1,${written}:2}`))).toEqual(['first', name])
})

/** Writes characters with the escapes `\uXXXX` or with short ones, and white space where JSON allows it. */
function writtenOtherwise(value: unknown, escapes: 'long' | 'short'): string {
  if (Array.isArray(value)) return `[ ${value.map((item) => writtenOtherwise(item, escapes)).join(' ,\n')} ]`
  if (typeof value === 'object' && value !== null)
    return `{\t${Object.entries(value)
      .map(([name, item]) => `${writtenOtherwise(name, escapes)}\r : ${writtenOtherwise(item, escapes)}`)
      .join(' , ')} }`
  const text = Object.is(value, -0) ? '-0' : JSON.stringify(value)
  if (typeof value !== 'string' || escapes === 'short') return text
  return `"${[...Array(value.length).keys()].map((at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
}

const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('\\', '"', '\n', 'u', '0', 'ö', 'a'), maxLength: 4 }),
  fc.constantFrom('__proto__', '1', ''),
)
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue({ maxDepth: 0 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

test('any JSON value in any notation is read as it was written, with its members in the same order', () => {
  fc.assert(
    fc.property(json, fc.constantFrom('long', 'short'), (value, escapes) => {
      const read = JSON.parse(writtenOtherwise(value, escapes))
      expect(read).toStrictEqual(value)
      expect(JSON.stringify(read)).toBe(JSON.stringify(value))
    }),
    { numRuns: 500 },
  )
})

describe('with an escaped name', () => {
  test.each([
    ['{"\\n":1e2,"b":[-0,12345678901234567890]}', { '\n': '1e2', b: ['-0', '12345678901234567890'] }],
    ['{"\\n":true}', { '\n': 'true' }],
  ])('a reviver gets the name and the text of each value: %s', (text, expected) => {
    const texts = JSON.parse(text, (_name, value, { source }) => source ?? value)
    expect(texts).toEqual(expected)
  })

  test('a reviver removes a member', () => {
    expect(JSON.parse('{"\\n":1,"b":2}', (key, value) => (key === '\n' ? undefined : value))).toEqual({
      b: 2,
    })
  })

  test('the last of equal names counts', () => {
    expect(JSON.parse('{"a":1,"\\u0061":2,"b\\n":3,"a":4}')).toEqual({ a: 4, 'b\n': 3 })
  })

  test.each(['{"\\n":1', '{"x":"y"\\u002c":":1}', '{"\\x":1}', '{"\\n":01}', ''])(
    'invalid JSON is refused: %s',
    (text) => {
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
    },
  )

  test('a value with more than 1,000 levels is refused', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}{"\\n":0}${']'.repeat(levels)}`
    expect(JSON.parse(nested(999)).flat(Infinity)).toEqual([{ '\n': 0 }])
    expect(() => JSON.parse(nested(100_000))).toThrow(SyntaxError)
  })
})
