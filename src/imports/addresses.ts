import { readEmail } from '../normalize/email.ts'

// A shortcut for nearly all addresses. Parsing takes a microsecond.
const plain = /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i
const plainLengthMax = 60

/** Returns whether an address has the most common form. Every such address is readable (normalize/email.ts). */
export const isPlainAddress = (text: string): boolean => text.length <= plainLengthMax && plain.test(text)

const separators = new Set([';', ',', '|', '\n'])

/**
 * Splits a cell into its e-mail addresses and other texts, and drops the names of people. Reads
 * `mailto:`, `"Lovelace, Ada" <ada@example.com>`, and lists with semicolons, commas or spaces.
 */
export function splitAddresses(cell: string): string[] {
  if (isPlainAddress(cell) || isAddress(cell)) return [cell]
  const parts = splitOutsideQuotes(cell)
  return parts.flatMap((part, index) => {
    const address = inBrackets(part)
    if (address !== null) return [address]
    // This part is the first half of a name without quotes: `Lovelace, Ada <ada@example.com>`.
    if (!part.includes('@') && inBrackets(parts[index + 1] ?? '') !== null) return []
    return splitWords(part)
  })
}

const isAddress = (text: string): boolean => 'email' in readEmail(text)

function withoutScheme(text: string): string {
  const trimmed = text.trim()
  if (!/^mailto:/i.test(trimmed)) return trimmed
  return trimmed.slice('mailto:'.length).replace(/\?.*$/s, '').trim()
}

function inBrackets(part: string): string | null {
  const [start, end] = [part.lastIndexOf('<'), part.lastIndexOf('>')]
  const text = start !== -1 && end > start ? withoutScheme(part.slice(start + 1, end)) : ''
  return text === '' ? null : text
}

function splitWords(part: string): string[] {
  const whole = withoutScheme(part)
  if (whole === '') return []
  if (isAddress(whole)) return [whole]
  const words = whole.split(/\s+/).map(withoutScheme)
  return words.some(isAddress) ? words.filter((word) => word !== '') : [whole]
}

function splitOutsideQuotes(text: string): string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? ''
    if (character === '"') quoted = !quoted
    if (quoted || !separators.has(character)) continue
    parts.push(text.slice(start, index))
    start = index + 1
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
