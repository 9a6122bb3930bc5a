import type { CreateForm, Form, FormField, FormFieldType } from '../../../../sdk/src/generated/types.ts'
import { callBackOf, type DraftCalls, draftCallsOf } from './draft-calls.ts'

/** A field while it is edited. `id` stays the same when fields move. */
export type DraftField = Omit<FormField, 'options' | 'hint' | 'maps_to'> & {
  id: number
  /** One option per line. */
  options: string
  hint: string
  /** Empty: none. */
  maps_to: string
}

export type Draft = {
  name: string
  title: string
  description: string
  submit_label: string
  fields: DraftField[]
  consentText: string
  byEmail: boolean
  byPhone: boolean
  isRequired: boolean
  calls: DraftCalls
  thanks: string
  thanksUrl: string
  /** One origin per line. */
  origins: string
}

let lastId = 0

export const newField = (type: FormFieldType = 'text'): DraftField => ({
  ...{ id: ++lastId, key: '', label: '', type, required: false, options: '', hint: '', maps_to: '' },
})

const starters: DraftField[] = [
  { ...newField('text'), label: 'First name', maps_to: 'first_name' },
  { ...newField('email'), label: 'E-mail', required: true, maps_to: 'email' },
]

/** The text with which people agree to a call, until the organization writes its own. */
const usualCallConsent = 'An AI agent may call me once at this number.'

const phoneOf = ({ fields }: Draft) => {
  const phones = fields.filter(({ type }) => type === 'phone')
  return phones.length === 1 ? phones[0] : undefined
}

/** Whether the form asks for what calls need: one required phone number, and a required consent to calls. */
export const asksForCalls = (draft: Draft): boolean =>
  Boolean(phoneOf(draft)?.required) && draft.consentText.trim() !== '' && draft.byPhone && draft.isRequired

/** The form with what calls need. */
export function askingForCalls(draft: Draft): Draft {
  const phone = phoneOf(draft)
  const hasPhone = draft.fields.some(({ type }) => type === 'phone')
  const added = { ...newField('phone'), label: 'Phone', required: true, maps_to: 'phone' }
  const hasText = draft.consentText.trim() !== ''
  return {
    ...draft,
    fields: hasPhone
      ? draft.fields.map((field) => (field === phone ? { ...field, required: true } : field))
      : [...draft.fields, added],
    consentText: hasText ? draft.consentText : usualCallConsent,
    byEmail: hasText && draft.byEmail,
    byPhone: true,
    isRequired: true,
  }
}

export function draftOf(form: Form | null): Draft {
  const { consent, thank_you: thankYou } = form ?? {}
  return {
    ...{ name: form?.name ?? '', title: form?.title ?? '', description: form?.description ?? '' },
    submit_label: form?.submit_label ?? 'Send',
    fields:
      form?.fields.map((field) => ({
        ...field,
        ...{ id: ++lastId, options: field.options.join('\n'), hint: field.hint ?? '' },
        maps_to: field.maps_to ?? '',
      })) ?? starters,
    consentText: consent?.text ?? '',
    byEmail: consent?.channels.includes('email') ?? true,
    byPhone: consent?.channels.includes('phone') ?? false,
    isRequired: consent?.required ?? false,
    calls: draftCallsOf(form?.call_back ?? null),
    thanks: thankYou?.text ?? 'Thank you. We got your answers.',
    thanksUrl: thankYou?.url ?? '',
    origins: form?.origins.join('\n') ?? '',
  }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A key made from a label: “Your e-mail address” becomes `your_email_address`. Empty without a letter of a to z. */
const keyOf = (label: string): string =>
  label
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('e-mail', 'email')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 36)

/** The keys of the fields. A stored field keeps its key; a new one gets a key from its label, which no other field has. */
function keysOf(fields: readonly DraftField[]): string[] {
  const taken = new Set(fields.map(({ key }) => key))
  return fields.map(({ key, label }) => {
    if (key !== '') return key
    const base = keyOf(label) || 'field'
    let found = base
    for (let n = 2; taken.has(found); n++) found = `${base}_${n}`
    taken.add(found)
    return found
  })
}

/** The settings that the form stores. */
export function settingsOf(draft: Draft): Omit<CreateForm, 'status'> & { title: string } {
  const { name, title, description, submit_label, fields } = draft
  const channels = [
    ...(draft.byEmail ? (['email'] as const) : []),
    ...(draft.byPhone ? (['phone'] as const) : []),
  ]
  const keys = keysOf(fields)
  return {
    ...{ name, title: title.trim() || name, description, submit_label },
    fields: fields.map(({ label, type, required, options, hint, maps_to }, index) => ({
      ...{ key: keys[index] ?? '', label, type, required },
      options: type === 'select' || type === 'multi_select' ? linesOf(options) : [],
      maps_to: maps_to.trim() || null,
      hint: hint.trim() || null,
    })),
    consent:
      draft.consentText.trim() === ''
        ? null
        : { text: draft.consentText.trim(), channels, required: draft.isRequired },
    call_back: callBackOf(draft.calls),
    thank_you: { text: draft.thanks, url: draft.thanksUrl.trim() || null },
    origins: linesOf(draft.origins),
  }
}

export const names = {
  name: 'name',
  title: 'heading',
  description: 'introduction',
  submit_label: 'text of the button',
  fields: 'fields',
  consent: 'consent',
  call_back: 'calls',
  thank_you: 'thanks',
  origins: 'sites',
} as const
