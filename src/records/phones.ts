import { readPhone } from '../normalise/phone.ts'
import { ValidationError } from '../platform/http/validation.ts'
import type { Fields, Surroundings } from './record-type.ts'

/** True if `fields` holds a phone number that only a default country can complete. */
export function needsCountry(fields: Fields): boolean {
  const phones = [fields.phone, ...((fields.phones as unknown[] | null | undefined) ?? [])]
  return phones.some((phone) => typeof phone === 'string' && !phone.trimStart().startsWith('+'))
}

/** The number in E.164; null and undefined as they are. @throws ValidationError at ["body", ...loc] */
export function e164<Value extends string | null | undefined>(
  value: Value,
  loc: (string | number)[],
  { defaultCountry }: Surroundings,
): Value | string {
  if (value === null || value === undefined || value.trim() === '')
    return (value === undefined ? undefined : null) as Value
  const read = readPhone(value, defaultCountry)
  if ('e164' in read) return read.e164
  throw new ValidationError([
    { type: 'value_error', loc: ['body', ...loc], msg: read.problem, ctx: { reason: read.problem } },
  ])
}
