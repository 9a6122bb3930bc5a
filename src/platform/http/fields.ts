import { z } from 'zod'
import { plainNumber } from './exact-number.ts'
import { parseInteger, parseNumber } from './parse-number.ts'
import { parseUuid } from './parse-uuid.ts'
import * as refusal from './refusal.ts'
import { Refusal } from './refusal.ts'

// Every input schema consists of these types and those of collections.ts. Only the outermost object is a `z.object`,
// which `validator` makes strict.

type JsonSchema = z.core.JSONSchema.BaseSchema

interface FieldDef extends z.core.$ZodTypeDef {
  type: 'custom'
  parse: (value: unknown) => unknown
  /** Whether `parse` gets `JSON.rawJSON` for a number that a double would round. */
  exact?: boolean
  /** The refusal of an absent value, if it says more than "Field required". */
  missing?: Refusal
  jsonSchema: JsonSchema
}

interface FieldType extends z.ZodType {
  _zod: z.core.$ZodTypeInternals & { def: FieldDef }
}

const Field = z.core.$constructor<FieldType>('Field', (inst, def) => {
  z.ZodType.init(inst, def)
  inst._zod.processJSONSchema = (_, json) => Object.assign(json, def.jsonSchema)
  inst._zod.parse = (payload) => {
    const { value } = payload
    const output =
      value === undefined
        ? (def.missing ?? refusal.missing)
        : value instanceof Refusal
          ? value // The reader of the path or query has already refused it.
          : def.parse(typeof value === 'object' && !def.exact ? plainNumber(value) : value)
    if (output instanceof Refusal) payload.issues.push(refusal.toZodIssue(output, value))
    else payload.value = output
    return payload
  }
})

/**
 * The base of all fields. `parse` returns a T or a `Refusal`, and must not throw. It gets any JSON value, without NUL
 * and lone surrogates; numbers are doubles.
 * @param jsonSchema the schema of the value in openapi.json; `.describe()` and `.meta()` add to it
 * @param missing the refusal of an absent value, if it says more than "Field required"
 * @example const currency = () => field((value) => isCurrency(value) ? value : refuse('use an ISO 4217 code'), {
 * type: 'string' })
 */
export function field<T>(
  parse: (value: unknown) => T | Refusal,
  jsonSchema: JsonSchema,
  missing?: Refusal,
): z.ZodType<T, unknown> {
  return new Field({ type: 'custom', parse, jsonSchema, ...(missing ? { missing } : {}) }) as z.ZodType<
    T,
    unknown
  >
}

/** Refuses a value with a text. The type of the refusal is `value_error`. */
export function refuse(message: string): Refusal {
  return new Refusal('value_error', message)
}

/** A string that `parse` reads or refuses, such as an e-mail address or a currency. */
export function parsedText<T>(
  parse: (value: string) => T | Refusal,
  jsonSchema: JsonSchema = {},
): z.ZodType<T, unknown> {
  return field((value) => (typeof value === 'string' ? parse(value) : refusal.notText), {
    type: 'string',
    ...jsonSchema,
  })
}

/**
 * A string of `min` to `max` code points. Before they are counted, `trim` removes white space at both ends, or only
 * at the end.
 */
export function text({
  min = 0,
  max = Number.POSITIVE_INFINITY,
  trim = false,
}: TextOptions = {}): z.ZodType<string, unknown> {
  const tooShort = refusal.textTooShort(min)
  const tooLong = refusal.textTooLong(max)
  const parse = (value: string) => {
    const taken = trim === 'end' ? value.trimEnd() : trim ? value.trim() : value
    if (shorterThan(min, taken)) return tooShort
    return taken.length > max && !shorterThan(max + 1, taken) ? tooLong : taken
  }
  return parsedText(parse, {
    ...(min > 0 ? { minLength: min } : {}),
    ...(max < Number.POSITIVE_INFINITY ? { maxLength: max } : {}),
  })
}
export type TextOptions = { min?: number; max?: number; trim?: boolean | 'end' }

/** A trimmed text of at most `max` characters that may be absent. An empty text clears the field, as null does. */
export const clearableText = (max: number): z.ZodOptional<z.ZodNullable<z.ZodType<string, unknown>>> =>
  text({ max, trim: true }).nullable().optional()

export type Range = { min?: number; max?: number }

/** An integer; by default any that a double stores exactly. See `parseInteger` for the accepted forms. */
export function integer({ min, max }: Range = {}): z.ZodType<number, unknown> {
  const within = inRange(min ?? Number.MIN_SAFE_INTEGER, max ?? Number.MAX_SAFE_INTEGER)
  return field((value) => within(parseInteger(value)), { type: 'integer', ...bounds({ min, max }) })
}

/** An integer that must not be rounded silently, such as money. Also refuses a fraction that a double would lose. */
export function exactInteger({ min, max }: Range = {}): z.ZodType<number, unknown> {
  const within = inRange(min ?? Number.MIN_SAFE_INTEGER, max ?? Number.MAX_SAFE_INTEGER)
  const parse = (value: unknown) => {
    const read = within(parseInteger(plainNumber(value)))
    return JSON.isRawJSON(value) && !(read instanceof Refusal) ? refusal.fractionalInteger : read
  }
  return new Field({
    type: 'custom',
    parse,
    exact: true,
    jsonSchema: { type: 'integer', ...bounds({ min, max }) },
  }) as z.ZodType<number, unknown>
}

/** A calendar day `YYYY-MM-DD`, from the year 1 to 9999. */
export const day: z.ZodType<string, unknown> = parsedText(
  (value) => {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(value) && !value.startsWith('0000')
    const read = isDay ? new Date(`${value}T00:00:00Z`) : new Date(Number.NaN)
    // Compare with the input: JavaScript reads 2026-02-30 as 2026-03-02.
    const isReal = !Number.isNaN(read.getTime()) && read.toISOString().startsWith(value)
    return isReal ? value : refuse('a day must exist and be written YYYY-MM-DD, such as 2026-01-31')
  },
  { format: 'date', examples: ['2026-01-31'] },
)

/** Unix seconds, up to the end of the year 9999. */
export function timestamp(): z.ZodType<number, unknown> {
  const within = inRange(0, lastSecond)
  const parse = (value: unknown) => {
    const integer = parseInteger(value)
    if (typeof integer === 'number' && integer > lastSecond) return refusal.lateTime(lastSecond)
    const read = within(integer)
    return read === refusal.unreadableInteger ? refusal.unreadableTime : read
  }
  const jsonSchema = { type: 'integer' as const, ...bounds({ min: 0, max: lastSecond }) }
  return field(parse, jsonSchema).meta({ format: 'int64', description: 'Unix seconds' })
}
const lastSecond = 253_402_300_799

/** A finite double. See `parseNumber` for the accepted forms. */
export function number({ min, max }: Range = {}): z.ZodType<number, unknown> {
  const within = inRange(min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY)
  return field((value) => within(parseNumber(value)), { type: 'number', ...bounds({ min, max }) })
}

const truth: Record<string, boolean> = {
  ...{ '1': true, on: true, t: true, true: true, y: true, yes: true },
  ...{ '0': false, off: false, f: false, false: false, n: false, no: false },
}

/**
 * A boolean with the values of Pydantic's lax mode: true, 1, "1", "on", "t", "true", "y", "yes" in
 * any letter case, and their opposites.
 */
export function boolean(): z.ZodType<boolean, unknown> {
  return field(
    (value) => {
      if (typeof value === 'boolean') return value
      if (value === 0 || value === 1) return value === 1
      if (typeof value === 'string') return lookUp(truth, value.toLowerCase()) ?? refusal.unreadableBoolean
      // As in Pydantic: an integer of 64 bits is an invalid boolean, and any other number has the wrong type.
      return Number.isInteger(value) && Math.abs(value as number) < 2 ** 63
        ? refusal.unreadableBoolean
        : refusal.notABoolean
    },
    { type: 'boolean' },
  )
}

/** Accepts only true or false. Use it for every boolean of a body that the specification does not define. */
export function strictBoolean(): z.ZodType<boolean, unknown> {
  return field((value) => (typeof value === 'boolean' ? value : refusal.notABoolean), { type: 'boolean' })
}

/** Accepts one of these words, in the same letter case. */
export function literal<const Word extends string>(...words: [Word, ...Word[]]): z.ZodType<Word, unknown> {
  const taken: ReadonlySet<unknown> = new Set(words)
  const unknownWord = refusal.notOneOf(words)
  return field((value) => (taken.has(value) ? (value as Word) : unknownWord), { type: 'string', enum: words })
}

/** A UUID, which is returned in its canonical form. See `parseUuid` for the accepted forms. */
export function id(): z.ZodType<string, unknown> {
  const parse = (value: unknown) => (typeof value === 'string' ? parseUuid(value) : refusal.notAUuid)
  return field(parse, { type: 'string', format: 'uuid' })
}

/** Whether `value` has fewer than `count` code points. They are counted only if the length is near the limit. */
function shorterThan(count: number, value: string): boolean {
  if (value.length < count) return true
  if (value.length >= 2 * count) return false
  let points = 0
  for (const _ of value) points++
  return points < count
}

function inRange(min: number, max: number): (value: number | Refusal) => number | Refusal {
  const below = refusal.belowMinimum(min)
  const above = refusal.aboveMaximum(max)
  return (value) => (value instanceof Refusal ? value : value > max ? above : value < min ? below : value)
}

function bounds({ min, max }: { [Key in keyof Range]: Range[Key] | undefined }): JsonSchema {
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) }
}

function lookUp<T>(table: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
