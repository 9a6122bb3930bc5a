import { readEmail } from '../normalize/email.ts'
import { readPhone } from '../normalize/phone.ts'
import type { Fields } from '../records/record-type.ts'
import { isPlainAddress } from './addresses.ts'

/** The fields in which an import stores unreadable values. Requests cannot set these fields. */
export type RawFields = { email_raw?: string; phone_raw?: string }

/**
 * Removes unreadable addresses and numbers from `fields`, and returns them; null if all are readable. Readable
 * numbers become E.164.
 * @param countryOf returns the country of phone numbers without a country code; called only if needed
 */
export function removeUnreadable(fields: Fields, countryOf: () => string | null): RawFields | null {
  const emails = removeValues(fields, 'email', 'emails', readAddress)
  const phones = removeValues(fields, 'phone', 'phones', (value) => {
    const read = readPhone(value, value.startsWith('+') ? null : countryOf())
    return 'e164' in read ? read.e164 : null
  })
  if (emails === null && phones === null) return null
  return {
    ...(emails === null ? {} : { email_raw: emails }),
    ...(phones === null ? {} : { phone_raw: phones }),
  }
}

function readAddress(value: string): string | null {
  if (isPlainAddress(value)) return value
  const read = readEmail(value)
  return 'email' in read ? read.email : null
}

function removeValues(
  fields: Fields,
  one: string,
  all: string,
  read: (value: string) => string | null,
): string | null {
  const [first, more] = [fields[one], fields[all] as unknown[] | undefined]
  if (first === undefined && more === undefined) return null
  // A shortcut for almost every row: it has one value, which is readable.
  if (more === undefined && typeof first === 'string') {
    const readable = read(first)
    if (readable === null) delete fields[one]
    else if (readable !== first) fields[one] = readable
    return readable === null ? first : null
  }
  const values = [...new Set([first, ...(more ?? [])].filter((value) => typeof value === 'string'))]
  const results = values.map((value) => ({ value, readable: read(value) }))
  delete fields[one]
  fields[all] = results.flatMap((each) => each.readable ?? [])
  const raw = results.filter((each) => each.readable === null).map(({ value }) => value)
  return raw.length === 0 ? null : raw.join('; ')
}
