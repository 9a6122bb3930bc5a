import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { dictionary, dictionaryOf, list, nested } from './collections.ts'
import { integer, text } from './fields.ts'
import { parseJsonBody } from './json-body.ts'
import { detailsMax } from './refusal.ts'
import { type Detail, ValidationError, validate } from './validation.ts'

const read = (schema: z.ZodType, value: unknown) => validate([{ in: 'body', schema, value }]).body

function refusals(schema: z.ZodType, value: unknown): readonly Detail[] {
  try {
    read(schema, value)
  } catch (error) {
    if (error instanceof ValidationError) return error.details
    throw error
  }
  return []
}

const brief = (schema: z.ZodType, value: unknown) =>
  refusals(schema, value).map(({ type, loc }) => [type, ...loc.slice(1)])

describe('list', () => {
  const numbers = list(integer(), { min: 2, max: 3 })

  test('a list field reads its items', () => {
    expect(read(numbers, ['1', 2])).toEqual([1, 2])
  })

  test.each<[unknown, unknown[][]]>([
    ['ab', [['list_type']]],
    [{}, [['list_type']]],
    [1, [['list_type']]],
    [null, [['missing']]],
    [JSON.rawJSON('12345678901234567890'), [['list_type']]],
    [[], [['too_short']]],
    [['x'], [['int_parsing', 0]]],
    [
      [1, 'x', null],
      [
        ['int_parsing', 1],
        ['int_type', 2],
      ],
    ],
    [['x', 'x', 'x', 'x'], [['too_long']]],
  ])('list refuses %j', (value, expected) => {
    expect(brief(numbers, value)).toEqual(expected)
  })

  test('a list field reports the number of items in its errors', () => {
    expect(refusals(list(integer(), { max: 1 }), [1, 2])).toEqual([
      {
        type: 'too_long',
        loc: ['body'],
        msg: 'List should have at most 1 item after validation, not 2',
        ctx: { field_type: 'List', max_length: 1, actual_length: 2 },
      },
    ])
    expect(refusals(numbers, [1])[0]?.msg).toBe('List should have at least 2 items after validation, not 1')
  })

  test('a list field reports a limited number of errors', () => {
    expect(refusals(list(text()), Array(200_000).fill(1))).toHaveLength(detailsMax)
    expect(refusals(list(list(text())), Array(2000).fill(Array(2000).fill(1)))).toHaveLength(detailsMax)
  })
})

describe('dictionary', () => {
  test('a dictionary field returns the same object, with __proto__ and exact numbers', () => {
    const json = '{"__proto__":{"a":12345678901234567890},"x":[0.12345678901234567890,{}]}'
    const value = parseJsonBody(Buffer.from(`{"custom":${json}}`)) as { custom: object }
    const output = read(z.object({ custom: dictionary() }), value) as { custom: object }
    expect(output.custom).toBe(value.custom)
    expect(JSON.stringify(output.custom)).toBe(json)
  })

  test.each([[[]], ['x'], [1], [JSON.rawJSON('12345678901234567890')]])('dictionary refuses %j', (value) => {
    expect(brief(dictionary(), value)).toEqual([['dict_type']])
  })

  test('a dictionary field has a maximum size in bytes', () => {
    const small = dictionary({ maxBytes: 12 })
    expect(read(small, { a: 'éé' })).toEqual({ a: 'éé' })
    expect(refusals(small, { a: 'ééé' })).toEqual([
      {
        type: 'value_error',
        loc: ['body'],
        msg: 'this object may have at most 12 bytes as JSON',
      },
    ])
  })
})

describe('dictionaryOf', () => {
  const ids = dictionaryOf(text({ max: 2 }), { min: 1, max: 2 })

  test('dictionaryOf reads the values of any keys', () => {
    const value = JSON.parse('{"__proto__":"a","constructor":"b"}')
    expect(JSON.stringify(read(ids, value))).toBe('{"__proto__":"a","constructor":"b"}')
  })

  test.each<[unknown, unknown[][]]>([
    [[], [['dict_type']]],
    [JSON.rawJSON('12345678901234567890'), [['dict_type']]],
    [{}, [['too_short']]],
    [{ a: 'x', b: 'x', c: 'x' }, [['too_long']]],
    [
      { a: 1, b: 'xxx' },
      [
        ['string_type', 'a'],
        ['string_too_long', 'b'],
      ],
    ],
  ])('dictionaryOf refuses %j', (value, expected) => {
    expect(brief(ids, value)).toEqual(expected)
  })

  test('dictionaryOf shows keys in loc, shortened if they are long', () => {
    const [first] = refusals(dictionaryOf(text()), { ['k'.repeat(5000)]: 1 })
    expect(first?.loc).toEqual(['body', 'k'.repeat(200)])
  })
})

describe('nested', () => {
  const point = nested({ x: integer(), y: integer().optional() })

  test('a nested object reads only declared keys', () => {
    expect(read(z.object({ at: point }), { at: { x: '1' } })).toEqual({ at: { x: 1 } })
    expect(brief(z.object({ at: point }), { at: { x: 1, z: 2 } })).toEqual([['extra_forbidden', 'at', 'z']])
  })

  test.each<[unknown, unknown[][]]>([
    [1, [['model_attributes_type', 'at']]],
    [null, [['model_attributes_type', 'at']]],
    [[], [['model_attributes_type', 'at']]],
    [JSON.rawJSON('12345678901234567890'), [['model_attributes_type', 'at']]],
    [{}, [['missing', 'at', 'x']]],
    [
      { x: 'a', y: null },
      [
        ['int_parsing', 'at', 'x'],
        ['int_type', 'at', 'y'],
      ],
    ],
  ])('nested refuses %j', (value, expected) => {
    expect(brief(z.object({ at: point }), { at: value })).toEqual(expected)
  })
})
