import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { runs } from '../../../test/support/runs.ts'
import { dictionary, dictionaryOf, list, nested } from './collections.ts'
import {
  boolean,
  id,
  integer,
  literal,
  number,
  parsedText,
  refuse,
  strictBoolean,
  text,
  timestamp,
} from './fields.ts'
import { bodyInput } from './json-body.ts'
import {
  type Detail,
  type Part,
  type RequestPart,
  ValidationError,
  type Values,
  validate,
  validator,
} from './validation.ts'

function detailsOf(check: () => unknown): readonly Detail[] {
  try {
    check()
  } catch (error) {
    if (error instanceof ValidationError) return error.details
    throw error
  }
  return []
}

const brief = (check: () => unknown) => detailsOf(check).map(({ type, loc }) => [type, ...loc])

describe('validator', () => {
  const parts = [
    { in: 'path', schema: z.object({ contact_id: id() }) },
    {
      in: 'query',
      schema: z.object({ limit: integer({ max: 100 }).default(25), tag: list(text()).default([]) }),
    },
    { in: 'header', schema: z.object({ 'if-match': integer().optional() }) },
    { in: 'body', schema: z.object({ name: text(), dry_run: strictBoolean().default(false) }) },
  ] as const satisfies Part[]
  const check = validator(parts)
  const good = {
    path: { contact_id: '0192F000-0000-7000-8000-000000000000' },
    query: new URLSearchParams('tag=a&limit=1&limit=2&tag=b'),
    header: { 'if-match': '3', host: 'x' },
    body: { name: 'Ada' },
  }

  test('the validator returns the parsed value of each part of a request', () => {
    const { path, query, header, body } = check(good)
    expect(path.contact_id).toBe('0192f000-0000-7000-8000-000000000000')
    expect(query).toEqual({ limit: 2, tag: ['a', 'b'] })
    expect(header).toEqual({ 'if-match': 3 })
    expect(body).toEqual({ name: 'Ada', dry_run: false })
  })

  test('the validator applies defaults for missing values', () => {
    expect(check({ ...good, query: new URLSearchParams() }).query).toEqual({ limit: 25, tag: [] })
    expect(check({ ...good, query: undefined }).query).toEqual({ limit: 25, tag: [] })
  })

  test('the validator reports the problems of all parts at once, in order', () => {
    const bad = {
      path: { contact_id: 'x' },
      query: new URLSearchParams('tag=%00&limit=101'),
      header: { 'if-match': 'x' },
      body: { dry_run: 1 },
    }
    expect(brief(() => check(bad))).toEqual([
      ['uuid_parsing', 'path', 'contact_id'],
      ['less_than_equal', 'query', 'limit'],
      ['string_unicode', 'query', 'tag', 0],
      ['int_parsing', 'header', 'if-match'],
      ['missing', 'body', 'name'],
      ['bool_type', 'body', 'dry_run'],
    ])
  })

  test('the errors of the validator contain no input', () => {
    const details = detailsOf(() => check({ ...good, body: { name: 1, dry_run: 'hunter2' } }))
    expect(JSON.stringify(details)).not.toContain('hunter2')
    expect(new Set(details.flatMap(Object.keys))).toEqual(new Set(['type', 'loc', 'msg']))
  })

  test('the validator gives each request its own objects', () => {
    const first = check({ ...good, query: new URLSearchParams() }).query
    first.tag.push('mine')
    expect(check({ ...good, query: new URLSearchParams() }).query.tag).toEqual([])
  })
})

describe('body', () => {
  const named = z.object({ name: text() })

  test.each<[unknown, string]>([
    [undefined, 'missing'],
    [null, 'missing'],
    ['x', 'model_attributes_type'],
    [1, 'model_attributes_type'],
    [[], 'model_attributes_type'],
    [JSON.rawJSON('12345678901234567890'), 'model_attributes_type'],
  ])('%j is refused, because it is not an object', (value, type) => {
    expect(brief(() => validate([{ in: 'body', schema: named, value }]))).toEqual([[type, 'body']])
  })

  test('a body may be optional', () => {
    expect(validate([{ in: 'body', schema: named.optional(), value: null }]).body).toBeUndefined()
  })

  test('a body gets no keys from __proto__', () => {
    const value = JSON.parse('{"__proto__":{"name":"x"}}')
    expect(brief(() => validate([{ in: 'body', schema: named, value }]))).toEqual([
      ['missing', 'body', 'name'],
      ['extra_forbidden', 'body', '__proto__'],
    ])
  })

  test('each unknown field of a body is refused', () => {
    const value = JSON.parse('{"x":1,"name":2,"__proto__":3}')
    expect(brief(() => validate([{ in: 'body', schema: z.object({ name: text() }), value }]))).toEqual([
      ['string_type', 'body', 'name'],
      ['extra_forbidden', 'body', 'x'],
      ['extra_forbidden', 'body', '__proto__'],
    ])
  })

  test('a failed refinement of an object is a value_error at that object', () => {
    const schema = named.refine(({ name }) => name !== 'no', 'name this otherwise')
    expect(detailsOf(() => validate([{ in: 'body', schema, value: { name: 'no' } }]))).toEqual([
      { type: 'value_error', loc: ['body'], msg: 'name this otherwise' },
    ])
  })
})

describe('text that PostgreSQL cannot store', () => {
  test.each<[RequestPart, Values]>([
    ['path', { path: { v: 'a\0b' } }],
    ['query', { query: new URLSearchParams('v=a%00b') }],
  ])('text that PostgreSQL cannot store is refused in a %s, in any field', (place, values) => {
    for (const field of [text(), integer(), id(), boolean(), literal('a').optional()]) {
      const check = validator([{ in: place, schema: z.object({ v: field }) }])
      expect(brief(() => check(values))).toEqual([['string_unicode', place, 'v']])
    }
  })

  test('text that PostgreSQL cannot store gets only the error for unknown parameters if its name is unknown', () => {
    const check = validator([{ in: 'query', schema: z.object({ v: text() }) }])
    expect(brief(() => check({ query: new URLSearchParams('v=ok&w=%00') }))).toEqual([
      ['extra_forbidden', 'query', 'w'],
    ])
  })
})

describe('a parameter that is sent twice', () => {
  const schema = z.object({
    limit: integer().optional(),
    email: text().optional(),
    tag: list(text()).optional(),
  })
  const check = validator([{ in: 'query', schema }])
  const read = (query: string) => check({ query: new URLSearchParams(query) }).query

  test('a parameter that is sent twice is refused, because its other values would be ignored', () => {
    expect(detailsOf(() => read('email=a&email=a&email=b'))).toEqual([
      {
        type: 'value_error',
        loc: ['query', 'email'],
        msg: 'send this parameter once',
      },
    ])
  })

  test('a parameter that is sent twice returns all of its values if the parameter is a list', () => {
    expect(read('tag=a&tag=b')).toEqual({ tag: ['a', 'b'] })
  })

  test('a parameter that is sent twice returns its last value if the parameter is `limit`, as FastAPI does', () => {
    expect(read('limit=x&limit=2')).toEqual({ limit: 2 })
  })
})

const anything: Record<string, z.ZodType> = {
  text: text({ min: 1, max: 3, trim: true }),
  integer: integer({ min: -5 }),
  number: number({ max: 5 }),
  boolean: boolean(),
  strictBoolean: strictBoolean(),
  literal: literal('a', 'b'),
  id: id(),
  timestamp: timestamp(),
  parsedText: parsedText((value) => (value.length > 2 ? value : refuse('longer'))),
  list: list(integer(), { min: 1, max: 2 }),
  lists: list(list(nested({ a: text() }))),
  dictionary: dictionary({ maxBytes: 20 }),
  dictionaryOf: dictionaryOf(list(text()), { max: 2 }),
  nested: nested({ a: integer().optional(), b: nested({ c: boolean() }).nullable() }),
  strict: nested({ a: integer().default(1) }).strict(),
  nullish: text().nullish(),
}

describe('any input', () => {
  test('any input is either parsed or refused as a body', () => {
    const keys = fc.constantFrom('v', 'a', 'b', 'c', '__proto__', 'constructor')
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.constantFrom<unknown>(JSON.rawJSON('12345678901234567890'), '1', 'yes', -0, 2 ** 60, '\ud800'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 3 }),
      ),
    })).value
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(anything)), json, fc.boolean(), (name, value, bare) => {
        const schema = anything[name]!
        const part = bare ? { schema, value } : { schema: z.object({ v: schema }), value: { v: value } }
        const details = detailsOf(() => validate([{ in: 'body', ...part }]))
        for (const { type, loc, msg } of details) {
          expect(loc[0]).toBe('body')
          expect(type && msg).toBeTruthy()
        }
      }),
      { numRuns: runs(200, 3_000) },
    )
  })

  test('any input is either parsed or refused as a query string', () => {
    const check = validator([{ in: 'query', schema: z.object(anything) }])
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...Object.keys(anything)), fc.string())), (pairs) => {
        detailsOf(() => check({ query: new URLSearchParams(pairs) }))
      }),
      { numRuns: 500 },
    )
  })

  test('any input is either parsed or refused as bytes of a body', () => {
    const check = validator([{ in: 'body', schema: z.object(anything) }])
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), (text) => {
        detailsOf(() => check({ body: bodyInput(Buffer.from(text), undefined) }))
      }),
      { numRuns: 500 },
    )
  })
})
