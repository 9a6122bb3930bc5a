import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  boolean,
  field,
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
import { type Detail, ValidationError, validate } from './validation.ts'

/** Returns the parsed value, or the refusal without its path. */
function read(schema: z.ZodType, value: unknown): unknown {
  try {
    return validate([{ in: 'body', schema: z.object({ v: schema }), value: { v: value } }]).body.v
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const { loc: _, ...refusal } = error.details[0] as Detail
    return refusal
  }
}

const typeOf = (outcome: unknown) => (outcome as Detail).type

describe('integer', () => {
  test.each<[unknown, number]>([
    [3, 3],
    [3.0, 3],
    [-0, 0],
    [true, 1],
    [false, 0],
    ['3', 3],
    [' 3 ', 3],
    ['\n3\t', 3],
    ['+1', 1],
    ['-1', -1],
    ['1_000', 1000],
    ['1.0', 1],
    ['1_0.00', 10],
    ['007', 7],
    ['-0', 0],
    ['0'.repeat(5000), 0],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
    [JSON.rawJSON('4.00000000000000000001'), 4],
  ])('integer reads %o', (value, expected) => {
    expect(read(integer(), value)).toBe(expected)
  })

  test.each<[unknown, string]>([
    [null, 'int_type'],
    [[], 'int_type'],
    [{}, 'int_type'],
    ['', 'int_parsing'],
    [' ', 'int_parsing'],
    ['x', 'int_parsing'],
    ['1_', 'int_parsing'],
    ['_1', 'int_parsing'],
    ['1__0', 'int_parsing'],
    ['1.', 'int_parsing'],
    ['.0', 'int_parsing'],
    ['1.5', 'int_parsing'],
    ['1e3', 'int_parsing'],
    ['0x10', 'int_parsing'],
    ['+-1', 'int_parsing'],
    ['- 1', 'int_parsing'],
    ['1,0', 'int_parsing'],
    ['true', 'int_parsing'],
    ['١', 'int_parsing'],
    ['9'.repeat(4301), 'int_parsing_size'],
    [1.5, 'int_from_float'],
    [Number.POSITIVE_INFINITY, 'finite_number'],
    [Number.NaN, 'finite_number'],
    [2 ** 53, 'less_than_equal'],
    ['9007199254740993', 'less_than_equal'],
    ['-9007199254740993', 'greater_than_equal'],
    ['9'.repeat(4300), 'less_than_equal'],
    [JSON.rawJSON('9007199254740993'), 'less_than_equal'],
  ])('integer refuses %o', (value, type) => {
    expect(typeOf(read(integer(), value))).toBe(type)
  })

  test('an error of an integer field names the exceeded limit', () => {
    const page = integer({ min: 1, max: 100 })
    expect(read(page, '101')).toEqual({
      type: 'less_than_equal',
      msg: 'Input should be less than or equal to 100',
      ctx: { le: 100 },
    })
    expect(read(page, JSON.rawJSON('-12345678901234567890'))).toEqual({
      type: 'greater_than_equal',
      msg: 'Input should be greater than or equal to 1',
      ctx: { ge: 1 },
    })
  })
})

describe('number', () => {
  test.each<[unknown, number]>([
    [1, 1],
    [1.5, 1.5],
    [true, 1],
    [' 1.5 ', 1.5],
    ['1_0.5', 10.5],
    ['+.5', 0.5],
    ['5.', 5],
    ['1E3', 1000],
    ['1e-400', 0],
    [JSON.rawJSON('0.12345678901234567890'), 0.12345678901234568],
  ])('number reads %o', (value, expected) => {
    expect(read(number(), value)).toBe(expected)
  })

  test.each<[unknown, string]>([
    [null, 'float_type'],
    [[], 'float_type'],
    ['', 'float_parsing'],
    ['.', 'float_parsing'],
    ['1e', 'float_parsing'],
    ['0x1', 'float_parsing'],
    ['1__0', 'float_parsing'],
    [' 1_0', 'float_parsing'],
    ['nan', 'finite_number'],
    ['-Infinity', 'finite_number'],
    ['1e400', 'finite_number'],
    [1e9, 'less_than_equal'],
    ['-1', 'greater_than_equal'],
  ])('number refuses %o', (value, type) => {
    expect(typeOf(read(number({ min: 0, max: 1e6 }), value))).toBe(type)
  })
})

describe('boolean', () => {
  test.each(['1', 'on', 'T', 'TRUE', 'y', 'Yes', 1, 1.0, true])('boolean reads %o as true', (value) => {
    expect(read(boolean(), value)).toBe(true)
  })

  test.each(['0', 'OFF', 'f', 'False', 'N', 'no', 0, -0, false])('boolean reads %o as false', (value) => {
    expect(read(boolean(), value)).toBe(false)
  })

  test.each<[unknown, string]>([
    ['', 'bool_parsing'],
    [' true', 'bool_parsing'],
    ['2', 'bool_parsing'],
    ['toString', 'bool_parsing'],
    ['__proto__', 'bool_parsing'],
    [2, 'bool_parsing'],
    [-1, 'bool_parsing'],
    [0.5, 'bool_type'],
    [1e300, 'bool_type'],
    [JSON.rawJSON('100000000000000000001'), 'bool_type'],
    [null, 'bool_type'],
    [[], 'bool_type'],
  ])('boolean refuses %o', (value, type) => {
    expect(typeOf(read(boolean(), value))).toBe(type)
  })

  test.each([[0], [1], ['true'], ['on'], [null], [[]]])('a strict boolean refuses %o', (value) => {
    expect(read(strictBoolean(), value)).toEqual({
      type: 'bool_type',
      msg: 'Input should be a valid boolean',
    })
  })
})

describe('text', () => {
  test('a text field counts code points', () => {
    const name = text({ min: 2, max: 3 })
    expect(read(name, '😀😀😀')).toBe('😀😀😀')
    expect(typeOf(read(name, '😀'))).toBe('string_too_short')
    expect(typeOf(read(name, '😀😀😀😀'))).toBe('string_too_long')
    expect(typeOf(read(name, 'é😀ab'))).toBe('string_too_long')
    expect(typeOf(read(name, 'x'.repeat(1e6)))).toBe('string_too_long')
  })

  test('a text field uses singular and plural in its errors', () => {
    expect(read(text({ min: 1 }), '')).toEqual({
      type: 'string_too_short',
      msg: 'String should have at least 1 character',
      ctx: { min_length: 1 },
    })
    expect(read(text({ max: 2 }), 'abc')).toEqual({
      type: 'string_too_long',
      msg: 'String should have at most 2 characters',
      ctx: { max_length: 2 },
    })
  })

  test('a text field with `trim` removes outer spaces before it counts characters', () => {
    expect(read(text({ max: 1, trim: true }), '  a ')).toBe('a')
    expect(typeOf(read(text({ min: 1, trim: true }), '   '))).toBe('string_too_short')
    expect(read(text(), ' a ')).toBe(' a ')
  })

  test.each([[1], [true], [null], [[]], [{}], [JSON.rawJSON('12345678901234567890')]])(
    'text refuses %o',
    (value) => {
      expect(read(text(), value)).toEqual({ type: 'string_type', msg: 'Input should be a valid string' })
    },
  )
})

describe('literal', () => {
  test.each<[[string, ...string[]], string]>([
    [['a'], "'a'"],
    [['a', 'b'], "'a' or 'b'"],
    [['a', 'b', 'c'], "'a', 'b' or 'c'"],
  ])('the error of a literal field lists its values: %o', (words, expected) => {
    const refusal = { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } }
    expect(read(literal(...words), 'A')).toEqual(refusal)
    expect(read(literal(...words), null)).toEqual(refusal)
    expect(read(literal(...words), 'a')).toBe('a')
  })
})

describe('id', () => {
  test('an id is converted to the canonical form', () => {
    expect(read(id(), 'urn:uuid:3FA85F64-5717-4562-B3FC-2C963F66AFA6')).toBe(
      '3fa85f64-5717-4562-b3fc-2c963f66afa6',
    )
    expect(typeOf(read(id(), 'x'))).toBe('uuid_parsing')
  })

  test.each([[1], [null], [true], [[]], [{}]])('id refuses %o', (value) => {
    expect(typeOf(read(id(), value))).toBe('uuid_type')
  })
})

describe('timestamp', () => {
  test('a timestamp field reads Unix seconds', () => {
    expect(read(timestamp(), '1704067200')).toBe(1_704_067_200)
    expect(read(timestamp(), 253_402_300_799)).toBe(253_402_300_799)
  })

  test.each<[unknown, string]>([
    [-1, 'greater_than_equal'],
    [253_402_300_800, 'less_than_equal'],
    ['2024-01-01T00:00:00Z', 'int_parsing'],
    [1.5, 'int_from_float'],
  ])('timestamp refuses %o', (value, type) => {
    expect(typeOf(read(timestamp(), value))).toBe(type)
  })
})

describe('fields that features define', () => {
  const even = field((value) => (Number(value) % 2 === 0 ? Number(value) : refuse('this must be even')), {
    type: 'integer',
  })

  test('fields that features define have their own error messages', () => {
    expect(read(even, 3)).toEqual({
      type: 'value_error',
      msg: 'this must be even',
    })
    expect(read(even, 4)).toBe(4)
  })

  test('a custom field receives exact numbers as doubles', () => {
    expect(read(even, JSON.rawJSON('12345678901234567890'))).toBe(12345678901234567000)
  })

  test('a custom field with a format receives only strings', () => {
    const upper = parsedText((value) => value.toUpperCase())
    expect(read(upper, 'de')).toBe('DE')
    expect(typeOf(read(upper, 1))).toBe('string_type')
  })

  test('fields that features define have the type that their function returns', () => {
    const schema = z.object({
      a: literal('x', 'y').default('x'),
      b: integer().optional(),
      c: even.nullable(),
    })
    const output: z.output<typeof schema> = { a: 'y', c: null }
    expect(schema.parse({ a: 'y', c: null })).toEqual(output)
  })
})
