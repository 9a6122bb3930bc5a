import { readEmail } from '../normalize/email.ts'
import { readPhone } from '../normalize/phone.ts'
import type { Fields } from '../records/record-type.ts'

/** The fields in which an import stores what it cannot read. Requests cannot set them. */
export type RawFields = { email_raw?: string; phone_raw?: string }

/**
 * Removes the addresses and numbers that cannot be read from `fields`, and returns them. Numbers that can be read become
 * E.164.
 * @param countryOf the country of national phone numbers; most files need it for no row
 */
export function takeUnreadable(fields: Fields, countryOf: () => string | null): RawFields {
  const emails = take(fields, 'email', 'emails', (value) => {
    const read = readEmail(value)
    return 'email' in read ? read.email : null
  })
  const phones = take(fields, 'phone', 'phones', (value) => {
    const read = readPhone(value, value.startsWith('+') ? null : countryOf())
    return 'e164' in read ? read.e164 : null
  })
  return {
    ...(emails === null ? {} : { email_raw: emails }),
    ...(phones === null ? {} : { phone_raw: phones }),
  }
}

function take(
  fields: Fields,
  one: string,
  all: string,
  read: (value: string) => string | null,
): string | null {
  const given = [fields[one], ...((fields[all] as unknown[] | undefined) ?? [])]
  const values = [...new Set(given.filter((value) => typeof value === 'string'))]
  if (values.length === 0) return null
  const results = values.map((value) => ({ value, readable: read(value) }))
  const readable = results.flatMap((each) => each.readable ?? [])
  delete fields[one]
  delete fields[all]
  if (readable.length === 1) fields[one] = readable[0]
  else if (readable.length > 1) fields[all] = readable
  const raw = results.filter((each) => each.readable === null).map(({ value }) => value)
  return raw.length === 0 ? null : raw.join('; ')
}
