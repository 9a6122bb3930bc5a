import type { DefinedFieldType } from '../../records/defined-fields/definition.ts'

/** The types of form fields. `scale` is a number from 0 to 10. */
export const formFieldTypes = [
  'text',
  'textarea',
  'email',
  'phone',
  'number',
  'date',
  'url',
  'select',
  'multi_select',
  'checkbox',
  'scale',
] as const

export type FormFieldType = (typeof formFieldTypes)[number]

/** The fields of contacts that a form can fill, each with the types of form fields that fit. */
const contactFieldTypes: Readonly<Record<string, readonly FormFieldType[]>> = {
  email: ['email'],
  phone: ['phone'],
  first_name: ['text'],
  last_name: ['text'],
  company_name: ['text'],
  job_title: ['text', 'select'],
  linkedin_url: ['url'],
  city: ['text', 'select'],
  region: ['text', 'select'],
  country: ['text', 'select'],
}

export const contactFields: readonly string[] = Object.keys(contactFieldTypes)

const definedTypes: Readonly<Record<DefinedFieldType, readonly FormFieldType[]>> = {
  text: ['text', 'textarea', 'select', 'email', 'phone', 'url', 'date'],
  number: ['number', 'scale'],
  boolean: ['checkbox'],
  date: ['date'],
  datetime: [],
  select: ['select'],
  multi_select: ['multi_select', 'select'],
  url: ['url'],
  email: ['email'],
  phone: ['phone'],
}

/** Whether a form field of this type can fill the field `name` of contacts. */
export const fitsContactField = (name: string, type: FormFieldType): boolean =>
  contactFieldTypes[name]?.includes(type) ?? false

/** Whether a form field of this type can fill a defined field of this type. */
export const fitsDefinedField = (defined: DefinedFieldType, type: FormFieldType): boolean =>
  definedTypes[defined].includes(type)

/** Returns whether fields of this type have options. */
export const hasOptions = (type: FormFieldType): boolean => type === 'select' || type === 'multi_select'

// Split a name into words before it is compared: "shipping" contains "pin", and "discard" contains "card".
const secretWords =
  /\b(password|passwort|passcode|passphrase|passwd|pwd|pin|cvc|cvv|csc|iban|ssn|otp|(credit|debit) ?card|card ?(number|no|nr|code)|social security|one time (code|password)|security code)\b/i

/** Whether a name or label asks for a secret, which a form must never collect. */
export const asksForSecret = (name: string): boolean => secretWords.test(name.replaceAll(/[_\-.]+/g, ' '))
