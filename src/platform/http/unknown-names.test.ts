import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { dictionary, dictionaryOf, list, nested } from './collections.ts'
import { integer, text } from './fields.ts'
import { type Detail, type RequestPart, ValidationError, validate, validator } from './validation.ts'

const stage = nested({ label: text(), probability: integer().optional() })
const schema = z.object({
  first_name: text().optional(),
  custom: dictionary().optional(),
  labels: dictionaryOf(text()).optional(),
  stages: list(stage).nullable().optional(),
  by_name: dictionaryOf(stage).optional(),
})

function detailsOf(check: () => unknown): readonly Detail[] {
  try {
    check()
  } catch (error) {
    if (error instanceof ValidationError) return error.details
    throw error
  }
  return []
}

/** The refused names, each with the nearest known name. */
const unknownIn = (value: unknown, place: RequestPart = 'body', of: z.ZodType = schema) =>
  detailsOf(() => validate([{ in: place, schema: of, value }])).map(({ type, loc, ctx }) => {
    expect(type).toBe('extra_forbidden')
    return [loc.slice(1).join('.'), ctx?.nearest]
  })

describe('unknown names', () => {
  test.each<[unknown, [string, string | undefined][]]>([
    [{ firstname: 'A' }, [['firstname', 'first_name']]],
    [
      { zzz: 1, firstName: 'A' },
      [
        ['zzz', undefined],
        ['firstName', 'first_name'],
      ],
    ],
    [{ stages: [{ label: 'a' }, { label: 'b', probabilty: 1 }] }, [['stages.1.probabilty', 'probability']]],
    [{ by_name: { x: { label: 'a', lable: 1 } } }, [['by_name.x.lable', 'label']]],
    [{ custom: { anything: { at: 'all' } }, labels: { any: 'thing' } }, []],
    [
      JSON.parse('{"__proto__":1,"constructor":2}'),
      [
        ['__proto__', undefined],
        ['constructor', undefined],
      ],
    ],
  ])('unknown names in %j are refused', (value, expected) => {
    expect(unknownIn(value)).toEqual(expected)
  })

  test.each<[string, z.ZodType]>([
    ['optional', schema.optional()],
    ['defaulted', schema.default({})],
    ['refined', schema.refine(() => true)],
    ['nullable', schema.nullable().optional()],
  ])('unknown names are refused by an object that is %s', (_name, of) => {
    expect(unknownIn({ firstname: 'A' }, 'body', of)).toEqual([['firstname', 'first_name']])
  })

  test('unknown names are refused in queries and paths, and ignored among headers', () => {
    expect(unknownIn(new URLSearchParams('firstname=A&x=1&x=2'), 'query')).toEqual([
      ['firstname', 'first_name'],
      ['x', undefined],
    ])
    expect(unknownIn({ firstname: 'A' }, 'path')).toEqual([['firstname', 'first_name']])
    expect(unknownIn({ firstname: 'A' }, 'header')).toEqual([])
  })

  test('unknown names do not change the default of a body for later requests', () => {
    const body = z.object({ a: list(text()).default([]) }).default(() => ({ a: [] }))
    const check = validator([{ in: 'body', schema: body }])
    check({}).body.a.push('mine')
    expect(check({}).body.a).toEqual([])
  })

  test('unknown names get at most 10 hints, and are cut at 200 letters', () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`first_nam${index}`, 1]))
    const found = unknownIn(many)
    expect(found).toHaveLength(1000)
    expect(found.filter(([, nearest]) => nearest)).toHaveLength(10)
    expect(unknownIn({ ['x'.repeat(1000)]: 1 })).toEqual([['x'.repeat(200), undefined]])
  })
})
