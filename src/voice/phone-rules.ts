import { isSupportedCountry, type PhoneNumber } from 'libphonenumber-js/max'
import { toAscii } from '../normalize/phone.ts'
import { invalid } from '../platform/domain-error.ts'
import { exampleOf } from './numbering-plans.ts'
import { whyNotInUse, whyUnreadable } from './phone-faults.ts'
import { parse } from './phone-parsing.ts'

// A call costs money and rings at somebody's ear, so the bar is higher than for a number that is only kept (normalize/
// phone.ts): it has to be in a range that is in use, which the full metadata know.

export type CalleeRules = {
  /** Where a number without a country code belongs: ISO 3166-1 alpha-2. */
  defaultCountry: string | null
  /** Whether premium-rate, shared-cost, personal, pager and satellite numbers may be called. */
  allowPremium: boolean
}

const inputMax = 250

/** Inmarsat, universal personal numbers, Iridium and Globalstar, international networks such as Thuraya. */
const callingCodesOfNoCountry: ReadonlySet<string> = new Set(['870', '878', '881', '882', '883'])

/** The number to call in E.164. @throws DomainError invalid that says what is wrong with `to_number`, and gives an example */
export function requireCallee(value: string, rules: CalleeRules): string {
  const read = readCallee(value, rules)
  if ('problem' in read) throw invalid('phone_number_invalid', `to_number: ${read.problem}`)
  return read.e164
}

/**
 * The number to call in E.164: one that is in use, without an extension; no emergency number and no short code; none that
 * costs extra unless the rules allow it. Reads digits of every script, punctuation, `tel:`, `00` and `(0)`. Never throws.
 */
export function readCallee(
  value: string,
  { defaultCountry, allowPremium }: CalleeRules,
): { e164: string } | { problem: string } {
  const country = defaultCountry !== null && isSupportedCountry(defaultCountry) ? defaultCountry : null
  // No calling code begins with 0, so +00 is a plus too many.
  const text = toAscii(value).replace(/^\+[+ ]*(?:00)?/, '+')
  const like = exampleOf(country ?? 'US')
  if (text === '') return { problem: `it is empty; write it like ${like}` }
  if (text.length > inputMax) return { problem: `it is too long to be a phone number; write it like ${like}` }
  const number = parse(text, country)
  // Beside other parameters of a URI (RFC 3966) the library loses it.
  const extension = /;ext=([^;]*)/i.exec(text)?.[1] ?? (typeof number === 'string' ? undefined : number.ext)
  if (extension !== undefined) {
    return { problem: `it has an extension (${extension}), which cannot be dialed; leave that out` }
  }
  if (typeof number === 'string') return { problem: whyUnreadable(text, country, number) }
  if (!number.isValid()) return { problem: whyNotInUse(text, country, number) }
  if (!/^\+[1-9]\d{6,14}$/.test(number.number)) {
    return {
      problem: `${number.formatInternational()} is called within its country alone; write it like ${like}`,
    }
  }
  const extra = allowPremium ? null : extraCost(number)
  return extra === null ? { e164: number.number } : { problem: extra }
}

/**
 * Types of the library that are refused, in our words. Personal numbers (UK 070, Germany's 0700) forward to wherever their
 * owner says, at a price of their own, and pagers' cost as much and have nobody who listens. Universal access numbers (UK 03,
 * Germany's 018) are companies' ordinary lines.
 */
const kindsOf: Readonly<Record<string, string>> = {
  ...{ PREMIUM_RATE: 'premium-rate', SHARED_COST: 'shared-cost' },
  ...{ PERSONAL_NUMBER: 'personal', PAGER: 'pager' },
}

/** Why a call would cost more than one to a person; null if it would not. */
function extraCost(number: PhoneNumber): string | null {
  const kind = callingCodesOfNoCountry.has(number.countryCallingCode)
    ? 'satellite'
    : isPayPerCall(number)
      ? 'premium-rate'
      : kindsOf[number.getType() ?? '']
  if (kind === undefined) return null
  return `${number.formatInternational()} is a ${kind} number, and a call to it costs extra; to allow such calls, PATCH /voice/settings {"allow_premium": true}`
}

/** The exchange 976, which is pay-per-call in every area of North America, and which the metadata do not tell. */
const isPayPerCall = ({ number }: PhoneNumber) => /^\+1[2-9]\d\d976\d{4}$/.test(number)
