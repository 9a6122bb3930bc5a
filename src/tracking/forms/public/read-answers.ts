import { contacts } from '../../../contacts/contacts.ts'
import { Refusal } from '../../../platform/http/refusal.ts'
import type { DefinedFieldType } from '../../../records/defined-fields/definition.ts'
import { readValue } from '../../../records/defined-fields/read-value.ts'
import { storableText } from '../../wire/ids.ts'
import type { FormFieldType } from '../fitting-fields.ts'
import type { FormDefinition, FormField } from '../schema.ts'
import { hasCardNumber } from './card-numbers.ts'

/** The answers of a submission, by the keys of the fields. Fields without an answer are left out. */
export type Answers = Record<string, unknown>

export type ReadAnswers = {
  answers: Answers
  /** Whether the person agreed; null: the form asks for no consent. */
  consent: boolean | null
  /** What is wrong, by the keys of the fields. */
  problems: Map<string, string>
}

const definedTypeOf: Readonly<Record<FormFieldType, DefinedFieldType>> = {
  text: 'text',
  textarea: 'text',
  email: 'email',
  phone: 'phone',
  number: 'number',
  date: 'date',
  url: 'url',
  select: 'select',
  multi_select: 'multi_select',
  checkbox: 'boolean',
  scale: 'number',
}

const texts: Readonly<Record<FormFieldType, string>> = {
  text: 'This text is too long.',
  textarea: 'This text is too long.',
  email: 'Enter an e-mail address, such as ada@example.com.',
  phone: 'Enter a phone number with the country code, such as +1 202 555 0100.',
  number: 'Enter a number, such as 12 or 3.5.',
  date: 'Enter a date as year, month and day, such as 2026-01-31.',
  url: 'Enter an address that begins with https://.',
  select: 'Choose one of the options.',
  multi_select: 'Choose from the options.',
  checkbox: 'Check the box, or leave it.',
  scale: 'Choose a number from 0 to 10.',
}

const agreeing: ReadonlySet<unknown> = new Set([true, 1, 'on', 'yes', 'true', '1'])

const missing = 'Answer this question.'
const card = 'Do not enter card numbers here. Nothing was sent.'
const consentMissing = 'Check this box to send the form.'

/** Reads the declared fields of what a page sent, and ignores everything else. */
export function readAnswers(
  { fields, consent }: FormDefinition,
  sent: Readonly<Record<string, unknown>>,
  sentConsent: unknown,
  defaultCountry: string | null,
): ReadAnswers {
  const answers: Answers = {}
  const problems = new Map<string, string>()
  for (const field of fields) {
    const raw = Object.hasOwn(sent, field.key) ? sent[field.key] : undefined
    const read = readAnswer(field, raw, defaultCountry)
    if (read instanceof Refusal) problems.set(field.key, read.msg)
    else if (read !== null) answers[field.key] = read
  }
  const agrees = agreeing.has(sentConsent)
  if (consent?.required && !agrees) problems.set('consent', consentMissing)
  return { answers, consent: consent ? agrees : null, problems }
}

const refused = (text: string) => new Refusal('value_error', text)

function readAnswer(field: FormField, raw: unknown, defaultCountry: string | null): unknown | Refusal {
  const { type, options, required, maps_to: mapsTo } = field
  const value = typeof raw === 'string' ? storableText(raw) : (raw ?? null)
  const definition = { key: field.key, type: definedTypeOf[type], options }
  const read = readValue(definition, value, defaultCountry)
  // A phone number with 13 digits can look like a card number.
  if (hasCard(value) && (type !== 'phone' || read instanceof Refusal)) return refused(card)
  if (read instanceof Refusal) return refused(texts[type])
  const isEmpty = read === null || (type === 'checkbox' && read === false)
  if (isEmpty) return required ? refused(missing) : read
  if (type === 'scale' && !(Number.isInteger(read) && Number(read) >= 0 && Number(read) <= 10))
    return refused(texts.scale)
  // A number with more digits than a double keeps its digits only in JSON that this server writes.
  if (type === 'number' && typeof read !== 'number') return refused(texts.number)
  const fits = mapsTo === null || mapsTo.startsWith('custom.') || fitsContact(mapsTo, read)
  return fits ? read : refused(texts[type])
}

const hasCard = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasCard)
    : ['string', 'number'].includes(typeof value) && hasCardNumber(String(value))

/** Whether a field of contacts accepts the value. */
function fitsContact(name: string, value: unknown): boolean {
  return contacts.input.shape[name]?.safeParse(value).success ?? false
}
