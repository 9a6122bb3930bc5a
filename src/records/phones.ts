import { readPhone } from '../normalize/phone.ts'
import { formatted } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import { type Detail, detailAt, ValidationError } from '../platform/http/validation.ts'
import { unreadable } from './fields.ts'
import type { Fields, KeyFilter, OrgDefaults, StoredColumns } from './record-type.ts'

/**
 * A phone number. National forms are read later, when the default country is known (`readPhones`). A value without a
 * digit is no number in any country: it is refused here, together with the other problems of the request.
 */
export const phone = formatted(
  (value) => {
    if (isNational(value) && (value.trim() === '' || /\p{Nd}/u.test(value))) return value
    const read = readPhone(value, null)
    return 'e164' in read ? read.e164 : unreadable(read.problem)
  },
  { maxLength: 250 },
)

const isNational = (value: unknown) => typeof value === 'string' && !value.trimStart().startsWith('+')

/** Whether `fields` has a phone number that needs a default country. */
export function needsCountry(fields: Fields): boolean {
  return [fields.phone, ...((fields.phones as unknown[] | null | undefined) ?? [])].some(isNational)
}

/**
 * `phone` and `phones` of `fields` in E.164. null and undefined stay; a blank `phone` becomes null.
 * @throws ValidationError with all unreadable numbers
 */
export function readPhones(
  fields: Fields,
  { defaultCountry }: OrgDefaults,
): { phone: string | null | undefined; phones: string[] | null | undefined } {
  const given = fields as { phone?: string | null; phones?: string[] | null }
  const problems: Detail[] = []
  const read = (value: string, ...path: (string | number)[]) => {
    const found = readPhone(value, defaultCountry)
    if ('e164' in found) return found.e164
    problems.push(detailAt(['body', ...path], unreadable(found.problem)))
    return value
  }
  const isBlank = given.phone?.trim() === ''
  const result = {
    phone: isBlank ? null : given.phone && read(given.phone, 'phone'),
    phones: given.phones?.map((value, index) => read(value, 'phones', index)) ?? given.phones,
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return result
}

/** The raw phone number of an import. A readable number replaces it. */
export function applyRawPhone(before: StoredColumns | null, fields: Fields, add: boolean): string | null {
  const replaced = !add && (fields.phone !== undefined || fields.phones !== undefined)
  return (fields.phone_raw ?? (replaced ? null : before?.phone_raw) ?? null) as string | null
}

/** The filter by any phone number of a record. */
export const phoneFilter: KeyFilter = {
  // An unencoded plus in a query arrives as a space.
  schema: filterText(250, 'end'),
  description: 'E.164, or national with a default_country.',
  key: (value, { defaultCountry }) => {
    const read = readPhone(withPlus(value), defaultCountry)
    return 'e164' in read ? { kind: 'phone', value: read.e164 } : read
  },
  needsCountry: (value) => isNational(withPlus(value)),
}

const withPlus = (value: string) => value.replace(/^ (?=\d)/, '+')
