import { z } from 'zod'
import { isObject } from '../members.ts'
import { plainNumber } from './exact-number.ts'
import { field, refuse } from './fields.ts'
import * as refusal from './refusal.ts'

// Collections use Zod's own types, so that code which walks a schema recognizes them. They report errors in the order
// of Pydantic.

export type Size = { min?: number; max?: number }

type Payload = z.core.ParsePayload
type Context = z.core.ParseContextInternal

interface ListType extends z.ZodArray {
  _zod: z.core.$ZodArrayInternals & { def: z.core.$ZodArrayDef & { size: Size } }
}

const List = z.core.$constructor<ListType>('List', (inst, def) => {
  z.ZodArray.init(inst, def)
  const { min = 0, max = Number.POSITIVE_INFINITY } = def.size
  extendJsonSchema(inst, {
    ...(min > 0 && { minItems: min }),
    ...(max < Number.POSITIVE_INFINITY && { maxItems: max }),
  })
  inst._zod.parse = (payload, context) => {
    const items = payload.value
    if (!Array.isArray(items))
      return refused(payload, items === undefined ? refusal.missing : refusal.notAList)
    if (items.length > max) return refused(payload, refusal.tooManyItems('List', max, items.length))
    const parsed = items.map((item, index) => parseItem(def.element, item, index, payload, context))
    if (payload.issues.length > 0) return payload
    if (items.length < min) return refused(payload, refusal.tooFewItems('List', min, items.length))
    payload.value = parsed
    return payload
  }
})

/** A JSON array of `item`. In a query, it collects all values of the parameter. */
export function list<Item extends z.ZodType>(
  item: Item,
  size: Size = {},
): z.ZodType<z.output<Item>[], unknown> {
  return new List({ type: 'array', element: item, size }) as unknown as z.ZodType<z.output<Item>[], unknown>
}

/** A JSON object with any keys and values. It is returned as the same object, even with the key `__proto__`. */
export function dictionary({
  maxBytes = Number.POSITIVE_INFINITY,
}: {
  maxBytes?: number
} = {}): z.ZodType<JsonObject, unknown> {
  const parse = (value: unknown) => {
    if (!isObject(value)) return refusal.notADictionary
    return maxBytes < Number.POSITIVE_INFINITY && Buffer.byteLength(JSON.stringify(value)) > maxBytes
      ? tooManyBytes(maxBytes)
      : value
  }
  return field(parse, { type: 'object', additionalProperties: true })
}
export type JsonObject = Record<string, unknown>

/** Refuses an object that is longer than `max` bytes as JSON. */
export const tooManyBytes = (max: number): refusal.Refusal =>
  refuse(`this object may have at most ${max} bytes as JSON`)

interface DictionaryType extends z.ZodRecord {
  _zod: z.core.$ZodRecordInternals & { def: z.core.$ZodRecordDef & { size: Size } }
}

const Dictionary = z.core.$constructor<DictionaryType>('Dictionary', (inst, def) => {
  z.ZodRecord.init(inst, def)
  const { min = 0, max = Number.POSITIVE_INFINITY } = def.size
  extendJsonSchema(inst, {
    ...(min > 0 && { minProperties: min }),
    ...(max < Number.POSITIVE_INFINITY && { maxProperties: max }),
  })
  inst._zod.parse = (payload, context) => {
    const value = plainNumber(payload.value)
    if (!isObject(value))
      return refused(payload, value === undefined ? refusal.missing : refusal.notADictionary)
    const entries = Object.entries(value)
    const parsed = entries.map(([key, item]) => [key, parseItem(def.valueType, item, key, payload, context)])
    if (payload.issues.length > 0) return payload
    if (entries.length > max) return refused(payload, refusal.tooManyItems('Dictionary', max, entries.length))
    if (entries.length < min) return refused(payload, refusal.tooFewItems('Dictionary', min, entries.length))
    payload.value = Object.fromEntries(parsed)
    return payload
  }
})

/** A JSON object with any keys whose values are all `item`s. */
export function dictionaryOf<Item extends z.ZodType>(
  item: Item,
  size: Size = {},
): z.ZodType<Record<string, z.output<Item>>, unknown> {
  const schema = new Dictionary({ type: 'record', keyType: z.string(), valueType: item, size })
  return schema as unknown as z.ZodType<Record<string, z.output<Item>>, unknown>
}

const Nested = z.core.$constructor<z.ZodObject>('Nested', (inst, def) => {
  z.ZodObject.init(inst, def)
  const parse = inst._zod.parse
  inst._zod.parse = (payload, context) => {
    payload.value = plainNumber(payload.value)
    return parse(payload, context)
  }
})

/**
 * An object inside a body, which accepts only the members of `shape`. (`z.object` would read an exact number as an
 * empty object, and ignore unknown members.)
 */
export function nested<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return new Nested({ type: 'object', shape, catchall: z.never() }) as unknown as z.ZodObject<
    Shape,
    z.core.$strict
  >
}

/** True if `schema` is a list, even if it is optional, nullable or has a default. */
export function isList(schema: z.core.$ZodType): boolean {
  const { def } = schema._zod
  return 'innerType' in def ? isList(def.innerType as z.core.$ZodType) : def.type === 'array'
}

function refused(payload: Payload, why: refusal.Refusal): Payload {
  payload.issues.push(refusal.toZodIssue(why, payload.value))
  return payload
}

/** Parses an item, and adds its issues to the collection until the maximum number of reported issues. */
function parseItem(
  schema: z.core.$ZodType,
  value: unknown,
  key: string | number,
  into: Payload,
  context: Context,
): unknown {
  if (into.issues.length >= refusal.detailsMax) return undefined
  const result = schema._zod.run({ value, issues: [] }, context) as Payload
  if (result.issues.length > 0) into.issues.push(...z.core.util.prefixIssues(key, result.issues))
  return result.value
}

function extendJsonSchema(inst: z.ZodType, keywords: z.core.JSONSchema.BaseSchema): void {
  const describe = inst._zod.processJSONSchema
  inst._zod.processJSONSchema = (context, json, params) => {
    describe?.(context, json, params)
    Object.assign(json, keywords)
  }
}
