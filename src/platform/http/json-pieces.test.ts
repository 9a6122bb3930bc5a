import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { parseJsonBody } from './json-body.ts'
import { bodyContainersMax, itemsMax, membersMax, ownLimits, runMax } from './json-limits.ts'
import { parsingJsonBody } from './json-pieces.ts'
import { type Detail, ValidationError } from './validation.ts'

function inPieces(bytes: Buffer, pieceBytes?: number): unknown {
  const parsing = parsingJsonBody(bytes, pieceBytes === undefined ? {} : { pieceBytes })
  for (;;) {
    const step = parsing.next()
    if (step.done) return step.value
  }
}

/** Parses a text. Returns the result as JSON, the fault, or the reason for the refusal. */
function outcome(parse: (bytes: Buffer) => unknown, text: string): unknown {
  try {
    const value = parse(Buffer.from(text))
    return { value, json: JSON.stringify(value) }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return error.details[0]!.type === 'json_invalid' ? error.details : 'unclean'
  }
}

const detailsOf = (text: string, pieceBytes?: number) => {
  try {
    return inPieces(Buffer.from(text), pieceBytes)
  } catch (error) {
    return (error as ValidationError).details
  }
}

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('true', 'null', '-0', '1.5e3', '12345678901234567890', '1e400', '"\\u0000"', '"\\ud800"'),
  fc.constantFrom(
    '"\\""',
    '"\\\\"',
    '"],{"',
    '""',
    '0',
    '"a\\ud83d\\ude00b"',
    '"\\ude00\\ud83d"',
    '"\\n\\u00e9ü\\t"',
  ),
)
const blank = fc.constantFrom('', '', ' ', '\n\t')
// The names differ so much that no inserted fault turns one into another. If two names were equal, this parser would
// inspect a value that JSON.parse overwrites.
const name = fc.constantFrom('"ab"', '"cd"', '"12"', '"__proto__"', '"\\u0068"', '"\\ud800"')
const { value: jsonText } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalar,
    fc
      .array(fc.tuple(blank, tie('value'), blank), { maxLength: 6 })
      .map((items) => `[${items.map((parts) => parts.join('')).join(',')}]`),
    fc
      .uniqueArray(fc.tuple(blank, name, blank, tie('value'), blank), {
        maxLength: 6,
        selector: ([, name]) => name,
      })
      .map(
        (all) =>
          `{${all.map(([one, key, two, value, end]) => `${one}${key}${two}:${value}${end}`).join(',')}}`,
      ),
  ),
}))
const pieceBytes = fc.integer({ min: 1, max: 40 })

test('any JSON is parsed to the same value in pieces of any size', () => {
  fc.assert(
    fc.property(jsonText, pieceBytes, (text, size) => {
      expect(outcome((bytes) => inPieces(bytes, size), text)).toEqual(outcome(parseJsonBody, text))
    }),
    { numRuns: runs(100, 2_000) },
  )
})

test('any invalid JSON gets the same error in pieces of any size', () => {
  const spoiled = fc
    .tuple(
      jsonText,
      fc.nat(),
      fc.nat(2),
      fc.constantFrom('', ',', '[', ']', '{', '}', ':', '"', ' ', '1', 'x'),
    )
    .map(([text, at, cut, instead]) => {
      const from = at % (text.length + 1)
      return text.slice(0, from) + instead + text.slice(from + cut)
    })
  fc.assert(
    fc.property(spoiled, pieceBytes, (text, size) => {
      expect(outcome((bytes) => inPieces(bytes, size), text)).toEqual(outcome(parseJsonBody, text))
    }),
    { numRuns: runs(200, 4_000) },
  )
})

test('text that cannot be stored is kept if the caller wants so', () => {
  const text = '{"a": ["\\ud800", {"b\\u0000": "x"}], "c": 1e999, "\\udc00": [1, 2, 3]}'
  const parsing = (size: number) => {
    const steps = parsingJsonBody(Buffer.from(text), { pieceBytes: size, keepsUnstorable: true })
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  }
  for (const size of [1, 7, 1_000]) expect(parsing(size)).toEqual(JSON.parse(text))
})

test('JSON that this server wrote is parsed with any nesting and any number of members', () => {
  const members = Object.fromEntries(Array.from({ length: membersMax + 1 }, (_, at) => [`f${at}`, at]))
  const deep = `${'[{"a":'.repeat(200)}1${'}]'.repeat(200)}`
  const text = `{"data":[${JSON.stringify(members)},${deep},[${Array(itemsMax + 1).fill('{}')},[${Array(itemsMax).fill('[]')}]]]}`
  const parsing = parsingJsonBody(Buffer.from(text), ownLimits)
  let step = parsing.next()
  for (; !step.done; step = parsing.next());
  expect(JSON.stringify(step.value) === text).toBe(true)
})

test('if a name is repeated, its last value is used in the place of the first', () => {
  const text = '{"a": [1, 2], "b": 3, "\\u0061": {"c": 4, "c": [5]}}'
  expect(JSON.stringify(inPieces(Buffer.from(text), 1))).toBe('{"a":{"c":[5]},"b":3}')
})

test('a large body is parsed in many steps, with any nesting', () => {
  const deep = (inside: string) => `${'[{"a":'.repeat(49)}${inside}${'}]'.repeat(49)}`
  const numbers = Array(50_000).fill('12345678901234567890').join()
  for (const text of [`[${numbers}]`, deep(`[${numbers}]`), `{"items":[{"custom":{"n":[${numbers}]}},1]}`]) {
    const parsing = parsingJsonBody(Buffer.from(text))
    let steps = 0
    while (!parsing.next().done) steps++
    expect(steps).toBeGreaterThan(10)
  }
})

test('an error names its place in the body, in any piece', () => {
  const text = '{"a": [1, "\\u0000", {"b": [2, 3, 1e999]}], "\\ud800": 1, "c": [{"\\ud800": [1, 2]}]}'
  const found = detailsOf(text, 1) as Detail[]
  expect(found.map(({ type, loc }) => [type, ...loc])).toEqual([
    ['string_unicode', 'body', 'a', 1],
    ['finite_number', 'body', 'a', 2, 'b', 2],
    ['string_unicode', 'body', '\ufffd'],
    ['string_unicode', 'body', 'c', 0, '\ufffd'],
  ])
})

test.each([
  ['array', itemsMax, (count: number) => ['b'.repeat(70_000), ...Array(count - 1).fill(1)]],
  [
    'object',
    membersMax,
    (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, 'value'])),
  ],
])('an %s that is larger than a piece may have at most %i members', (kind, max, make) => {
  const text = (members: number) => JSON.stringify({ a: make(members) })
  expect(detailsOf(text(max))).toEqual({ a: make(max) })
  expect(detailsOf(text(max + 1))).toEqual([
    {
      type: 'too_long',
      loc: ['body', 'a'],
      msg: `A large ${kind} in JSON should have at most ${max} members`,
      ctx: { max_length: max },
    },
  ])
})

test(`a body has at most ${bodyContainersMax} objects and arrays, with any nesting`, () => {
  const most = Math.floor((bodyContainersMax - 1) / 90)
  const nested = (count: number) =>
    `[${Array(count)
      .fill('['.repeat(90) + ']'.repeat(90))
      .join()}]`
  expect((detailsOf(nested(most)) as unknown[]).length).toBe(most)
  expect(detailsOf(nested(most + 1))).toEqual([
    {
      type: 'too_long',
      loc: ['body'],
      msg: `JSON should have at most ${bodyContainersMax} objects and arrays`,
      ctx: { max_length: bodyContainersMax },
    },
  ])
})

test.each([
  ['letters', 'x'],
  ['letters of two bytes', 'ü'],
  ['pairs of surrogates', '\u{1f600}'],
  ['escapes', '\\ud83d\\ude00'],
])('a string of a megabyte of %s is parsed in many steps', (_, unit) => {
  const inside = unit.repeat(1_000_000 / unit.length)
  for (const text of [`{"a":"${inside}"}`, `[1,"${inside}", 2]`, `"${inside}"`]) {
    const parsing = parsingJsonBody(Buffer.from(text))
    let steps = 0
    for (;;) {
      const step = parsing.next()
      if (!step.done) steps++
      else {
        expect(step.value).toEqual(JSON.parse(text))
        break
      }
    }
    expect(steps).toBeGreaterThan(50)
  }
})

test.each([
  ['a name', (length: number) => `{"${'x'.repeat(length)}":1}`],
  ['a number or white space', (length: number) => `{"a":${'1'.repeat(length)}}`],
  ['a number or white space', (length: number) => `[${' '.repeat(length)}]`],
])('%s of more than 64 KiB is refused', (what, text) => {
  const details = detailsOf(text(2 * runMax))
  expect(details).toEqual([
    {
      ...{ type: 'too_long', loc: ['body'], ctx: { max_length: runMax } },
      msg: `In JSON, ${what} should have at most ${runMax} bytes`,
    },
  ])
})
