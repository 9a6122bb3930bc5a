import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { dictionary, dictionaryOf, list, nested } from './collections.ts'
import {
  boolean,
  id,
  integer,
  literal,
  number,
  parsedText,
  strictBoolean,
  text,
  timestamp,
} from './fields.ts'
import { toJsonSchema } from './json-schema.ts'

const uuid = { type: 'string', format: 'uuid' }

test.each<[string, z.ZodType, object]>([
  ['text', text(), { type: 'string' }],
  ['text with bounds', text({ min: 1, max: 9 }), { type: 'string', minLength: 1, maxLength: 9 }],
  ['integer', integer(), { type: 'integer' }],
  ['integer with bounds', integer({ min: 0, max: 9 }), { type: 'integer', minimum: 0, maximum: 9 }],
  ['number', number({ min: 0.5 }), { type: 'number', minimum: 0.5 }],
  ['boolean', boolean(), { type: 'boolean' }],
  ['strictBoolean', strictBoolean(), { type: 'boolean' }],
  ['literal', literal('a', 'b'), { type: 'string', enum: ['a', 'b'] }],
  ['id', id(), uuid],
  ['formatted', parsedText((value) => value, { format: 'email' }), { type: 'string', format: 'email' }],
  ['dictionary', dictionary(), { type: 'object', additionalProperties: true }],
  ['list', list(id(), { min: 1, max: 5 }), { type: 'array', items: uuid, minItems: 1, maxItems: 5 }],
  [
    'dictionaryOf',
    dictionaryOf(id(), { max: 5 }),
    { type: 'object', additionalProperties: uuid, maxProperties: 5 },
  ],
  [
    'nested',
    nested({ a: id() }),
    { type: 'object', properties: { a: uuid }, required: ['a'], additionalProperties: false },
  ],
  [
    'object',
    z.object({ a: id().optional() }),
    { type: 'object', properties: { a: uuid }, additionalProperties: false },
  ],
  [
    'timestamp',
    timestamp(),
    { type: 'integer', format: 'int64', minimum: 0, maximum: 253402300799, description: 'Unix seconds' },
  ],
  [
    'description',
    timestamp().describe('Since then'),
    expect.objectContaining({ format: 'int64', description: 'Since then' }),
  ],
  ['default', literal('a').default('a'), { type: 'string', enum: ['a'], default: 'a' }],
  ['default of a list', list(id()).default([]), { type: 'array', items: uuid, default: [] }],
  [
    'example',
    text()
      .meta({ examples: ['x'] })
      .optional(),
    { type: 'string', examples: ['x'] },
  ],
  ['nullable', text({ max: 9 }).nullable(), { type: ['string', 'null'], maxLength: 9 }],
  [
    'nullable words',
    literal('a').nullish().describe('A'),
    { type: ['string', 'null'], enum: ['a', null], description: 'A' },
  ],
  [
    'nullable object',
    nested({}).nullable(),
    { anyOf: [{ type: 'object', properties: {}, additionalProperties: false }, { type: 'null' }] },
  ],
])('the input schema of a field: %s', (_, schema, expected) => {
  expect(toJsonSchema(schema, 'input')).toEqual(expected)
})

test('a field without a default is required, and one with a default is not', () => {
  const schema = z.object({ a: text(), b: text().optional(), c: text().default('c'), d: text().nullable() })
  expect(toJsonSchema(schema, 'input').required).toEqual(['a', 'd'])
})

describe('output', () => {
  const contact = z.object({ name: z.string().nullable(), age: z.int(), tags: z.array(z.string()) })

  test('an output schema has no limits, so that a later version may return longer values', () => {
    expect(toJsonSchema(contact, 'output')).toEqual({
      type: 'object',
      properties: {
        name: { type: ['string', 'null'] },
        age: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['name', 'age', 'tags'],
    })
  })

  test('an output schema configures the serializer, which keeps nulls and drops unknown fields', async () => {
    const answer = z.object({
      data: z.union([contact, z.object({ failed: z.literal('yes') })]).nullable(),
      mode: z.enum(['live', 'test']).nullable(),
      custom: z.record(z.string(), z.unknown()),
      size: z.number().nullable(),
      flag: z.boolean().nullable(),
    })
    const row = { name: null, age: 3, tags: ['a'] }
    const rest = { mode: null, custom: { a: { b: [1, null, 'x'] } }, size: null, flag: null }
    const server = Fastify()
    server.get('/', { schema: { response: { 200: toJsonSchema(answer, 'output') } } }, async () => ({
      data: { ...row, secret: 1 },
      ...rest,
      secret: 2,
    }))
    expect((await server.inject('/')).json()).toEqual({ data: row, ...rest })
  })
})
