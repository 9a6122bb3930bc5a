// For JSON.rawJSON, which is declared there.
import '../http/exact-number.ts'

/**
 * The one text of all JSON that says the same: keys in the order of their UTF-16 units, no white space (RFC 8785), but
 * numbers that a double would round as they were written. Undefined, which no JSON says, is empty text.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return JSON.stringify(value) ?? ''
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join()}}`
}
