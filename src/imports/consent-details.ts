import { readTime } from '../normalize/time.ts'

/** The circumstances under which consent was given or denied, by channel, in the shape of the API. */
export type ConsentDetails = Record<string, Record<string, string | number>>

/** A cell of a column such as `consent_phone_source`. */
export type Detail = { field: string; header: string; value: string }

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

export const isDetail = (field: string): boolean => column.test(field)

/**
 * Adds details to the consents of a row. Returns the details that stay in `custom`: the unreadable ones, and those
 * whose consent the row does not have.
 */
export function addConsentDetails(fields: Record<string, unknown>, details: readonly Detail[]): Detail[] {
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
