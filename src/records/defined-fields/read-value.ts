import type { z } from 'zod'
import { readPhone } from '../../normalize/phone.ts'
import { exactNumber } from '../../platform/http/exact-number.ts'
import { boolean, day, number, parsedText, refuse, text } from '../../platform/http/fields.ts'
import { notAList, notOneOf, notText, Refusal, tooManyItems } from '../../platform/http/refusal.ts'
import { email, unreadableValue } from '../fields.ts'
import type { DefinedFieldType, FieldDefinition } from './definition.ts'

const textMax = 10_000
const addressMax = 2_000
export const optionsMax = 200

/**
 * Reads a value of a defined field. Files and forms send everything as text, so "5" is a number, and "yes" is true.
 * @returns the value to store, null for empty text, or the reason why the value does not fit
 */
export function readValue(
  definition: FieldDefinition,
  value: unknown,
  defaultCountry: string | null,
): unknown | Refusal {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return null
  return readers[definition.type](value, definition.options, defaultCountry)
}

type Reader = (value: unknown, options: readonly string[], defaultCountry: string | null) => unknown | Refusal

const readers: Readonly<Record<DefinedFieldType, Reader>> = {
  text: by(text({ max: textMax })),
  number: readNumber,
  boolean: by(boolean()),
  date: readDay,
  datetime: by(parsedText(readMoment)),
  select: readOption,
  multi_select: readOptions,
  url: by(parsedText(readAddress)),
  email: by(email),
  phone(value, _options, defaultCountry) {
    if (typeof value !== 'string') return notText
    const read = readPhone(value, defaultCountry)
    return 'e164' in read ? read.e164 : unreadableValue(read.problem)
  },
}

/** Returns the reader that a schema of requests makes. */
function by(schema: z.ZodType): Reader {
  return (value) => {
    const read = schema.safeParse(typeof value === 'string' ? value.trim() : value)
    if (read.success) return read.data
    const { params } = read.error.issues[0] as { params?: unknown }
    return params instanceof Refusal ? params : refuse('this value cannot be read')
  }
}

const readDouble = by(number())

/** A number that a double would round keeps all of its digits. */
function readNumber(value: unknown): unknown | Refusal {
  const read = readDouble(value, [], null)
  if (read instanceof Refusal) return read
  if (JSON.isRawJSON(value)) return value
  return typeof value === 'string' ? exactNumber(read as number, jsonNumber(value.trim())) : read
}

/** Writes a number that `parseNumber` reads as JSON does: " +1_0. " is 10, and ".5" is 0.5. */
const jsonNumber = (text: string): string =>
  text
    .replaceAll('_', '')
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=e|$)/i, '')

const readExtendedDay = by(day)

/** ISO 8601 also writes a day without hyphens: 20260131. */
function readDay(value: unknown): unknown | Refusal {
  const basic = typeof value === 'string' ? /^(\d{4})(\d\d)(\d\d)$/.exec(value.trim()) : null
  return readExtendedDay(basic ? basic.slice(1).join('-') : value, [], null)
}

const momentForm = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i

/** RFC 3339, stored in UTC and whole seconds, so that the order of the texts is the order of the times. */
function readMoment(value: string): string | Refusal {
  // JavaScript reads 2026-02-30 as 2026-03-02.
  const isReal = momentForm.test(value) && !(readExtendedDay(value.slice(0, 10), [], null) instanceof Refusal)
  const time = new Date(isReal ? value.replace(' ', 'T') : Number.NaN)
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999
    ? refuse('a time must exist and have an offset, such as 2026-01-31T09:30:00Z')
    : `${time.toISOString().slice(0, 19)}Z`
}

function readAddress(value: string): string | Refusal {
  const isWeb = value.length <= addressMax && /^https?:\/\//i.test(value) && URL.canParse(value)
  return isWeb
    ? value
    : refuse(`an address must begin with https:// or http:// and have at most ${addressMax} characters`)
}

/** Returns the option with these letters, in any letter case. */
function readOption(value: unknown, options: readonly string[]): string | Refusal {
  if (typeof value !== 'string') return notText
  const wanted = value.trim()
  const { exact, byLowerCase } = spellingsOf(options)
  return (exact.has(wanted) ? wanted : byLowerCase.get(wanted.toLowerCase())) ?? notOneOf(options)
}

/** The first option wins where options differ only in letter case. */
type Spellings = { exact: ReadonlySet<string>; byLowerCase: ReadonlyMap<string, string> }

const spellings = new WeakMap<readonly string[], Spellings>()

/** Made once for each list of options: comparing every value with every option takes 200 ms for one large record. */
function spellingsOf(options: readonly string[]): Spellings {
  const known = spellings.get(options)
  if (known !== undefined) return known
  const lastFirst = options.map((option) => [option.toLowerCase(), option] as const).reverse()
  const made = { exact: new Set(options), byLowerCase: new Map(lastFirst) }
  spellings.set(options, made)
  return made
}

/** A list of options, or a text with commas or semicolons between them. The result has the order of the options. */
function readOptions(value: unknown, options: readonly string[]): string[] | null | Refusal {
  const parts = typeof value === 'string' ? splitOptions(value, options) : value
  if (!Array.isArray(parts)) return notAList
  if (parts.length > optionsMax) return tooManyItems('List', optionsMax, parts.length)
  const chosen = new Set<string>()
  for (const part of parts) {
    const option = readOption(part, options)
    if (option instanceof Refusal) return option
    chosen.add(option)
  }
  return chosen.size === 0 ? null : options.filter((option) => chosen.has(option))
}

/** An option may contain a comma itself. */
const splitOptions = (value: string, options: readonly string[]): string[] =>
  options.includes(value.trim()) ? [value] : value.split(/[;,]/).filter((part) => part.trim() !== '')
