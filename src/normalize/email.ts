import { toAsciiHost } from './domain.ts'

const localMax = 64
const addressMax = 254
const domainMax = 253
const labelMax = 63
/** Only this many characters are searched for invalid ones: to search a value of 1 MiB takes 100 ms. */
const searchedMax = 1_000
const notEmail = 'value is not a valid email address: '

// RFC 5322 3.2.3 atext, and all characters beyond ASCII (RFC 6531 3.3).
const atom = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\uffff-]"
const dotAtom = new RegExp(`^${atom}+(?:\\.${atom}+)*$`)
const notAtom = new RegExp(`(?!${atom}|\\.).`, 'gsu')
const quotedLocal = /^"(?:[ !#-[\]-~\u0080-\uffff]|\\[ -~])*"$/
const unsafe = /[\p{C}\p{Z}]/gu
const asciiOnly = /^[!-~]*$/

/**
 * Reads any `local@domain.tld` of RFC 5321 and 6531. The key for comparisons is NFC, lower case, without needless
 * quotes, with the domain in punycode. Lengths are octets in UTF-8. Problems have the texts of pydantic and
 * email-validator, which existing clients expect. Never throws.
 */
export function readEmail(value: string): { email: string; key: string } | { problem: string } {
  const email = value.trim()
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const host = at === -1 ? null : toAsciiHost(email.slice(at + 1))
  const localKey = host === null ? null : keyOfLocal(local)
  if (host === null || localKey === null) return { problem: notEmail + problemOf(email) }
  const key = `${localKey}@${host}`
  const excess = Math.max(countOctets(email), countOctets(key)) - addressMax
  if (excess > 0) return { problem: `${notEmail}The email address is too long ${excessText(excess)}.` }
  return { email, key }
}

/** Returns the normalized form of an address, in which addresses are compared. */
export function emailKey(value: string): string {
  const read = readEmail(value)
  return 'key' in read ? read.key : value.toLowerCase()
}

function keyOfLocal(local: string): string | null {
  if (local.length > localMax) return null
  if (asciiOnly.test(local) && dotAtom.test(local)) return local.toLowerCase()
  const folded = local.normalize('NFC').toLowerCase().normalize('NFC')
  if (countOctets(local) > localMax || countOctets(folded) > localMax || hasUnsafe(local)) return null
  if (dotAtom.test(folded)) return /^\p{M}/u.test(folded) ? null : folded
  if (!quotedLocal.test(folded)) return null
  const content = folded.slice(1, -1).replace(/\\(.)/g, '$1')
  if (content === '') return null
  return dotAtom.test(content) && !/^\p{M}/u.test(content)
    ? content
    : `"${content.replace(/["\\]/g, '\\$&')}"`
}

function hasUnsafe(local: string): boolean {
  return local.replaceAll(' ', '').search(unsafe) !== -1
}

function problemOf(email: string): string {
  const at = email.lastIndexOf('@')
  if (at === -1) return 'An email address must have an @-sign.'
  if (email.includes('<') && email.endsWith('>')) {
    return 'A display name and angle brackets around the email address are not permitted here.'
  }
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  if (domain === '') return 'There must be something after the @-sign.'
  if (local === '' || local === '""') return 'There must be something before the @-sign.'
  return problemOfLocal(local) ?? problemOfDomain(domain)
}

function problemOfLocal(local: string): string | null {
  if (keyOfLocal(local) !== null) return null
  const folded = local.length > searchedMax ? local : local.toLowerCase()
  const excess = Math.max(countOctets(local), countOctets(folded)) - localMax
  if (excess > 0) return `The email address is too long before the @-sign ${excessText(excess)}.`
  const bad = local.match(notAtom)
  if (bad !== null)
    return `The email address contains invalid characters before the @-sign: ${listCharacters(bad)}.`
  const unsafeOnes = local.match(unsafe)
  if (unsafeOnes !== null)
    return `The email address contains unsafe characters: ${listCharacters(unsafeOnes)}.`
  if (local.endsWith('.')) return 'An email address cannot have a period immediately before the @-sign.'
  if (local.startsWith('.')) return 'An email address cannot start with a period.'
  if (local.includes('..')) return 'An email address cannot have two periods in a row.'
  return 'The email address contains invalid characters before the @-sign.'
}

function problemOfDomain(domain: string): string {
  const start = domain.slice(0, searchedMax)
  const bad = start.match(/[\0-,/:-@[-`{-\x7f]/g)
  if (bad !== null) return `The part after the @-sign contains invalid characters: ${listCharacters(bad)}.`
  const unsafeOnes = start.match(unsafe)
  if (unsafeOnes !== null)
    return `The email address contains unsafe characters: ${listCharacters(unsafeOnes)}.`
  for (const [mark, name] of [
    ['.', 'period'],
    ['-', 'hyphen'],
  ] as const) {
    if (domain.endsWith(mark)) return `An email address cannot end with a ${name}.`
    if (domain.startsWith(mark)) {
      return `An email address cannot have a ${name} immediately after the @-sign.`
    }
  }
  if (domain.includes('..')) return 'An email address cannot have two periods in a row.'
  if (domain.includes('.-') || domain.includes('-.')) {
    return 'An email address cannot have a period and a hyphen next to each other.'
  }
  if (domain.length > domainMax) {
    return `The email address is too long after the @-sign ${excessText(domain.length - domainMax)}.`
  }
  const labels = domain.split('.')
  const longest = Math.max(...labels.map((label) => label.length))
  if (longest > labelMax) {
    return `After the @-sign, periods cannot be separated by so many characters ${excessText(longest - labelMax)}.`
  }
  if (labels.length === 1) return 'The part after the @-sign is not valid. It should have a period.'
  if (/^\d*$/.test(labels.at(-1) ?? '')) {
    return 'The part after the @-sign is not valid. It is not within a valid top-level domain.'
  }
  return 'The part after the @-sign contains invalid characters.'
}

function excessText(excess: number): string {
  return `(${excess} character${excess > 1 ? 's' : ''} too many)`
}

function listCharacters(characters: string[]): string {
  const names = characters.slice(0, 100).map((character) => {
    if (character === ' ') return 'SPACE'
    if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return `'${character}'`
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  })
  return [...new Set(names)].sort().join(', ')
}

function countOctets(text: string): number {
  return asciiOnly.test(text) ? text.length : Buffer.byteLength(text)
}
