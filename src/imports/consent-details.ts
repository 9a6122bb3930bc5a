import { readTime } from '../normalize/time.ts'

export type ConsentDetails = Record<string, Record<string, string | number>>

/** A cell of a column such as `consent_phone_source`. */
export type ConsentDetail = { field: string; header: string; value: string }

const column = /^consent_(email|phone)_(kind|source|at)$/
const kinds = new Map([
  ...['written', 'in writing'].map((word) => [word, 'written'] as const),
  ...['oral', 'verbal', 'spoken'].map((word) => [word, 'oral'] as const),
  ...['implied', 'implicit'].map((word) => [word, 'implied'] as const),
])

function readMember(member: string, value: string): string | number | null {
  if (member === 'kind') return kinds.get(value.toLowerCase()) ?? null
  return member === 'at' ? readTime(value) : value
}

/** Returns whether a column of this field has a detail of a consent, such as its source. */
export const isConsentDetail = (field: string): boolean => column.test(field)

/**
 * Adds details to the consents of a row. Returns details that are unreadable or have no consent; they stay in
 * `custom`.
 */
export function addConsentDetails(
  fields: Record<string, unknown>,
  details: readonly ConsentDetail[],
): ConsentDetail[] {
  const consent = fields.consent as Record<string, string> | undefined
  const read: ConsentDetails = {}
  const left = details.filter(({ field, value }) => {
    const [, channel = '', member = ''] = column.exec(field) ?? []
    const detail = readMember(member, value)
    if (!['granted', 'denied'].includes(consent?.[channel] ?? '') || detail === null) return true
    read[channel] = { ...read[channel], [member]: detail }
    return false
  })
  if (Object.keys(read).length > 0) fields.consent_details = read
  return left
}
