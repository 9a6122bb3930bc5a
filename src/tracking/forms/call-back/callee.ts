import { countryName } from '../../../normalize/country.ts'
import { countryOfNumber } from '../../../voice/phone-parsing.ts'
import { readCallee } from '../../../voice/phone-rules.ts'
import type { FormDefinition } from '../schema.ts'

/** The number that a visitor asks to be called at, in E.164, and its country. */
export type Callee = { number: string; country: string }

/** The key of the field with the number to call; null: the form asks for no call. */
const phoneKeyOf = ({ call_back: callBack, fields }: Pick<FormDefinition, 'call_back' | 'fields'>) =>
  callBack ? (fields.find(({ type }) => type === 'phone')?.key ?? null) : null

const uncallable = 'We cannot call this number. Enter another one, such as a mobile number.'

/**
 * Reads the number that the answers ask to be called at. Numbers with extra costs are never called, whatever the voice
 * settings allow: everybody can send the form.
 * @returns null if the form asks for no call
 */
export function readCalleeOf(
  definition: FormDefinition,
  answers: Readonly<Record<string, unknown>>,
): Callee | { key: string; problem: string } | null {
  const key = phoneKeyOf(definition)
  const allowed = definition.call_back?.countries
  if (key === null || !allowed) return null
  const read = readCallee(String(answers[key] ?? ''), { defaultCountry: null, allowPremium: false })
  if ('problem' in read) return { key, problem: uncallable }
  const country = countryOfNumber(read.e164)
  if (country !== null && allowed.includes(country)) return { number: read.e164, country }
  const names = allowed.map(countryName).join(', ')
  return { key, problem: `We only call numbers of these countries: ${names}.` }
}
