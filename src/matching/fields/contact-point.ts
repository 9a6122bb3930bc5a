import { getDomain } from 'tldts'
import { readEmail } from '../../normalize/email.ts'
import { readPhone } from '../../normalize/phone.ts'
import { domainOfWebsite } from '../../normalize/website.ts'
import { itemAt } from '../element-at.ts'
import { osaDistance, osaSimilarity } from '../names/similarity.ts'
import { isOneEdit, letterOverlap } from './edits.ts'
import type { FieldType } from './field-type.ts'
import { nullIfEmpty } from './fold.ts'

const gmailDomains = new Set(['gmail.com', 'googlemail.com'])

/**
 * Writes lower case, and removes `+tag` and, in Gmail addresses, the dots before the @. Incomplete addresses stay
 * unchanged.
 */
function normalizeEmail(value: string): string | null {
  const read = readEmail(value)
  const key = 'key' in read ? read.key : value.trim().toLowerCase()
  const at = key.lastIndexOf('@')
  if (at < 0) return nullIfEmpty(key)
  const host = key.slice(at + 1)
  const plus = key.indexOf('+')
  const local = plus > 0 && plus < at ? key.slice(0, plus) : key.slice(0, at)
  return gmailDomains.has(host) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${host}`
}

const digitsOf = (email: string) => email.replace(/\D/g, '')
const localOf = (email: string) => email.slice(0, email.lastIndexOf('@') + 1) || email
const hostOf = (email: string) => email.slice(email.lastIndexOf('@') + 1)

/** Returns null for domains that many companies share. */
function ownRegistrableDomain(address: string): string | null {
  const host = domainOfWebsite(address)
  return host === null ? null : (getDomain(host) ?? host)
}

/** Returns null for domains of mail providers. */
export const ownDomainOf = (email: string): string | null => ownRegistrableDomain(hostOf(email))

const isAlike = (a: string, b: string, least: number): boolean =>
  letterOverlap(a, b) >= least && osaSimilarity(a, b) >= least

/** The level of two addresses with different domains and the same local part. */
export const sameLocalPartLevel = 2

export const email: FieldType = {
  levels: ['exact', 'near', 'same local part', 'similar', 'same domain', 'different'],
  group: 'email',
  strongTo: 1,
  vetoes: [],
  sharedAt: [0, 1, 3, 4],
  sharedPart: ownDomainOf,
  normalize: normalizeEmail,
  compare(a, b) {
    if (a === b) return 0
    const [localA, localB] = [localOf(a), localOf(b)]
    const [hostA, hostB] = [hostOf(a), hostOf(b)]
    const isHostNear = hostA === hostB || isAlike(hostA, hostB, 0.8)
    if (localA === localB) return isHostNear ? 1 : sameLocalPartLevel
    if (isHostNear) {
      const similarity = letterOverlap(localA, localB) < 0.6 ? 0 : osaSimilarity(localA, localB)
      // The digits must be equal: john.smith1 and john.smith2 are different people.
      if (similarity >= 0.75 && osaDistance(a, b) <= 2 && digitsOf(localA) === digitsOf(localB)) return 1
      if (similarity >= 0.6) return 3
    }
    return hostA === hostB && ownDomainOf(a) !== null ? 4 : 5
  },
  defaultM: [0.6, 0.05, 0.1, 0.05, 0.08, 0.12],
}

/** Writes a number as E.164. An invalid number becomes `x` and its digits. */
function normalizePhone(value: string, { defaultCountry }: { defaultCountry: string | null }): string | null {
  const read = readPhone(value, defaultCountry)
  if ('e164' in read) return read.e164
  const digits = value.replace(/\D/g, '')
  return digits.length < 5 ? null : `x${digits}`
}

export const phone: FieldType = {
  levels: ['exact', 'same end', 'near', 'different'],
  group: 'phone',
  strongTo: 1,
  vetoes: [],
  sharedAt: [0],
  normalize: normalizePhone,
  compare(a, b) {
    if (a === b) return 0
    if (a.length > 7 && b.length > 7 && a.slice(-7) === b.slice(-7)) return 1
    return isOneEdit(a, b) ? 2 : 3
  },
  defaultM: [0.7, 0.04, 0.03, 0.23],
}

export const domain: FieldType = {
  levels: ['exact', 'near', 'different'],
  group: 'company',
  strongTo: 0,
  vetoes: [],
  sharedAt: [0],
  normalize: ownRegistrableDomain,
  compare(a, b) {
    if (a === b) return 0
    return isAlike(a, b, 0.85) ? 1 : 2
  },
  defaultM: [0.75, 0.05, 0.2],
}

const linkedinPath = /linkedin\.[a-z.]+\/(in|pub|company|school)\/([^/?#\s]+)/i

/** Writes the address of a profile as `in/slug` or `company/slug`, in lower case. */
function normalizeLinkedin(value: string): string | null {
  const found = linkedinPath.exec(value)
  if (!found) return null
  const kind = itemAt(found, 1).toLowerCase() === 'pub' ? 'in' : itemAt(found, 1).toLowerCase()
  return `${kind}/${decoded(itemAt(found, 2)).toLowerCase()}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return text
  }
}

export const linkedin: FieldType = {
  levels: ['exact', 'different'],
  group: 'profile',
  strongTo: 0,
  vetoes: [],
  sharedAt: [],
  normalize: normalizeLinkedin,
  compare: (a, b) => (a === b ? 0 : 1),
  defaultM: [0.93, 0.07],
}
