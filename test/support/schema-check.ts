import { resolve, type Schema } from './openapi-document.ts'

const annotations = new Set([
  'description',
  'title',
  'examples',
  'default',
  'format',
  'discriminator',
  'x-enumDescriptions',
])

type Check = (value: never, word: never, schema: Schema) => boolean

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const points = (text: string) => [...text].length
const ofType: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

/** The keywords of JSON Schema 2020-12 in openapi.json. */
const checks: Record<string, Check> = {
  type: (value: unknown, word: string | string[]) => [word].flat().some((type) => ofType[type]!(value)),
  enum: (value: unknown, word: unknown[]) => word.includes(value),
  const: (value: unknown, word: unknown) => value === word,
  pattern: (value: unknown, word: string) => typeof value !== 'string' || new RegExp(word, 'u').test(value),
  minLength: (value: unknown, word: number) => typeof value !== 'string' || points(value) >= word,
  maxLength: (value: unknown, word: number) => typeof value !== 'string' || points(value) <= word,
  minimum: (value: unknown, word: number) => typeof value !== 'number' || value >= word,
  maximum: (value: unknown, word: number) => typeof value !== 'number' || value <= word,
  minItems: (value: unknown, word: number) => !Array.isArray(value) || value.length >= word,
  maxItems: (value: unknown, word: number) => !Array.isArray(value) || value.length <= word,
  minProperties: (value: unknown, word: number) => !isObject(value) || Object.keys(value).length >= word,
  maxProperties: (value: unknown, word: number) => !isObject(value) || Object.keys(value).length <= word,
}

/** The first place that does not match; null if all match. @throws Error for an unknown keyword */
export function faultOf(value: unknown, schema: Schema, place = ''): string | null {
  const own = resolve(schema)
  for (const [keyword, word] of Object.entries(own)) {
    const check = checks[keyword]
    if (check) {
      if (!check(value as never, word as never, own)) {
        const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 100)
        return `${place || 'the body'} is ${shown}: not ${keyword} ${JSON.stringify(word)}`
      }
    } else if (!(keyword in nested) && !annotations.has(keyword))
      throw new Error(`The check of schemas does not know ${keyword}`)
  }
  for (const find of Object.values(nested)) {
    const fault = find(value, own, place)
    if (fault) return fault
  }
  return null
}

type Nested = (value: unknown, schema: Schema, place: string) => string | null

const nested: Record<string, Nested> = {
  required(value, { required = [] }, place) {
    const missing = isObject(value) ? required.find((name) => !Object.hasOwn(value, name)) : undefined
    return missing === undefined ? null : `${place}.${missing} is missing`
  },
  properties(value, { properties = {} }, place) {
    if (!isObject(value)) return null
    return first(Object.entries(properties), ([name, schema]) =>
      Object.hasOwn(value, name) ? faultOf(value[name], schema, `${place}.${name}`) : null,
    )
  },
  additionalProperties(value, { additionalProperties: rest, properties = {} }, place) {
    if (!isObject(value) || rest === undefined || rest === true) return null
    const others = Object.entries(value).filter(([name]) => !Object.hasOwn(properties, name))
    return first(others, ([name, item]) =>
      rest === false ? `${place}.${name} is not of the schema` : faultOf(item, rest, `${place}.${name}`),
    )
  },
  items(value, { items }, place) {
    if (!Array.isArray(value) || !items) return null
    return first([...value.entries()], ([at, item]) => faultOf(item, items, `${place}[${at}]`))
  },
  anyOf(value, { anyOf }, place) {
    if (!anyOf) return null
    const faults = anyOf.map((schema) => faultOf(value, schema, place))
    return faults.includes(null) ? null : faults.join(', nor: ')
  },
  oneOf(value, { oneOf }, place) {
    if (!oneOf) return null
    const faults = oneOf.map((schema) => faultOf(value, schema, place))
    const fitting = faults.filter((fault) => fault === null).length
    if (fitting === 0) return faults.join(', nor: ')
    return fitting === 1 ? null : `${place || 'the body'} fits ${fitting} schemas of oneOf`
  },
  $ref: () => null,
}

function first<T>(items: T[], find: (item: T) => string | null): string | null {
  for (const item of items) {
    const fault = find(item)
    if (fault) return fault
  }
  return null
}
