import { isSupportedCountry, type PhoneNumber } from 'libphonenumber-js/max'
import { toAscii } from '../normalize/phone.ts'
import { invalid } from '../platform/domain-error.ts'
import { exampleOf } from './numbering-plans.ts'
import { whyNotInUse, whyUnreadable } from './phone-faults.ts'
import { parse } from './phone-parsing.ts'

// A call costs money and disturbs a person, so these rules are stricter than those for a stored number
// (normalize/phone.ts). The number must be in an assigned range; only the full metadata have these ranges.

export type CalleeRules = {
  /** The country for a number without a country code: ISO 3166-1 alpha-2. */
  defaultCountry: string | null
  /** Whether premium-rate, shared-cost, personal, pager and satellite numbers may be called. */
  allowPremium: boolean
}

const inputMax = 250

/**
 * The calling codes of no country: Inmarsat, universal personal numbers, Iridium and Globalstar, and international
 * networks such as Thuraya.
 */
const callingCodesOfNoCountry: ReadonlySet<string> = new Set(['870', '878', '881', '882', '883'])

/**
 * Reads the number to call, in E.164.
 * @throws DomainError invalid that says what is wrong with `to_number`, with an example
 */
export function requireCallee(value: string, rules: CalleeRules): string {
  const read = readCallee(value, rules)
  if ('problem' in read) throw invalid('phone_number_invalid', `to_number: ${read.problem}`)
  return read.e164
}

/**
 * Reads the number to call, in E.164. Refuses extensions, emergency numbers and short codes. Refuses numbers with
 * extra costs unless the rules allow them. Accepts digits of every script, punctuation, `tel:`, `00` and `(0)`. Never
 * throws.
 */
export function readCallee(
  value: string,
  { defaultCountry, allowPremium }: CalleeRules,
): { e164: string } | { problem: string } {
  const country = defaultCountry !== null && isSupportedCountry(defaultCountry) ? defaultCountry : null
  // A plus before 00 is a mistake: no calling code begins with 0.
  const text = toAscii(value).replace(/^\+[+ ]*(?:00)?/, '+')
  const like = exampleOf(country ?? 'US')
  if (text === '') return { problem: `it is empty; write it like ${like}` }
  if (text.length > inputMax) return { problem: `it is too long to be a phone number; write it like ${like}` }
  const number = parse(text, country)
  // The library loses the extension if a URI has other parameters too (RFC 3966).
  const extension = /;ext=([^;]*)/i.exec(text)?.[1] ?? (typeof number === 'string' ? undefined : number.ext)
  if (extension !== undefined) {
    return { problem: `it has an extension (${extension}), which cannot be dialed; leave that out` }
  }
  if (typeof number === 'string') return { problem: whyUnreadable(text, country, number) }
  if (!number.isValid()) return { problem: whyNotInUse(text, country, number) }
  if (!/^\+[1-9]\d{6,14}$/.test(number.number)) {
    return {
      problem: `${number.formatInternational()} can be called only within its country; write it like ${like}`,
    }
  }
  const extra = allowPremium ? null : extraCost(number)
  return extra === null ? { e164: number.number } : { problem: extra }
}

/**
 * The refused types of numbers, with their names in error texts. Personal numbers (UK 070, Germany's 0700) lead to
 * any number at a price of their own. Universal access numbers (UK 03, Germany's 018) are allowed: they are ordinary
 * numbers of companies.
 */
const kindsOf: Readonly<Record<string, string>> = {
  ...{ PREMIUM_RATE: 'premium-rate', SHARED_COST: 'shared-cost' },
  ...{ PERSONAL_NUMBER: 'personal', PAGER: 'pager' },
}

/** Why a call has extra costs; null if it has none. */
function extraCost(number: PhoneNumber): string | null {
  const kind = callingCodesOfNoCountry.has(number.countryCallingCode)
    ? 'satellite'
    : isPayPerCall(number)
      ? 'premium-rate'
      : kindsOf[number.getType() ?? '']
  if (kind === undefined) return null
  return `${number.formatInternational()} is a ${kind} number, and a call to it costs extra; to allow such calls, PATCH /voice/settings {"allow_premium": true}`
}

/** The exchange 976 is pay-per-call in all of North America. The metadata lack this. */
const isPayPerCall = ({ number }: PhoneNumber) => /^\+1[2-9]\d\d976\d{4}$/.test(number)
