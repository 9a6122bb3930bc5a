import { isIP } from 'node:net'

const ofIPv4 = /^::ffff:(?=\d+\.)/i
const loopback = /^(?:127\.|::1$)/

/**
 * Reads a client address in the form in which texts contain it; null if the value is not an address. A loopback address
 * also gives null: only pages of developers have one, and it is not personal data.
 */
export function readClientAddress(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const address = value.trim().replace(ofIPv4, '').toLowerCase()
  return isIP(address) === 0 || loopback.test(address) ? null : address
}

/**
 * Removes client addresses from a text, even inside of a longer address: `192.0.2.1` is also removed from `192.0.2.10`.
 */
export function withoutAddresses(text: string, addresses: readonly string[]): string {
  const forms = addresses.flatMap((each) => (each.includes(':') ? [each, each.toUpperCase()] : [each]))
  return forms.some((form) => text.includes(form)) ? withoutParts(text, forms) : text
}

/**
 * Does the same for all names and texts in JSON. Parses the JSON first: otherwise `"\b::1"` would seem to contain the
 * address `b::1`, although `\b` is an escape.
 */
export function jsonWithoutAddresses(json: string, addresses: readonly string[]): string {
  if (withoutAddresses(json, addresses) === json) return json
  return JSON.stringify(mapTexts(JSON.parse(json), (text) => withoutAddresses(text, addresses)))
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [map(name), mapTexts(member, map)]))
}

/**
 * Removes all parts in one pass. Removing a part can join two halves of another one, and a text can nest thousands of
 * parts.
 */
function withoutParts(text: string, parts: readonly string[]): string {
  const kept = new Uint16Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    kept[length++] = text.charCodeAt(at)
    const found = parts.find((part) => endsWith(kept, length, part))
    if (found !== undefined) length -= found.length
  }
  return Buffer.from(kept.buffer, 0, 2 * length).toString('utf16le')
}

function endsWith(units: Uint16Array, length: number, part: string): boolean {
  if (part.length > length) return false
  for (let back = 1; back <= part.length; back++)
    if (units[length - back] !== part.charCodeAt(part.length - back)) return false
  return true
}
