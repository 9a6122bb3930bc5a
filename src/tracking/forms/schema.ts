import { z } from 'zod'
import { list, nested } from '../../platform/http/collections.ts'
import { id, literal, parsedText, refuse, strictBoolean, text } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'
import { readOrigin } from '../write-keys/origins.ts'
import { originList } from '../write-keys/schema.ts'
import { callBackInput, shownCallBack } from './call-back/settings.ts'
import { contactFields, formFieldTypes } from './fitting-fields.ts'

const statuses = ['draft', 'live', 'archived'] as const
const channels = ['email', 'phone'] as const

const fieldKey = parsedText(
  (value) =>
    /^[a-z][a-z0-9_]{0,39}$/.test(value)
      ? value
      : refuse('a key has 1 to 40 characters: a-z, 0-9 and _, the first of them a letter'),
  { maxLength: 40, examples: ['email'] },
)

const mapsTo = parsedText(
  (value) =>
    contactFields.includes(value) || /^custom\.[^\s.]{1,100}$/.test(value)
      ? value
      : refuse(`use one of ${contactFields.join(', ')}, or custom.<key> of a defined field of contacts`),
  { maxLength: 110, examples: ['email'] },
)

const webAddress = parsedText(
  (value) =>
    /^https?:\/\//i.test(value) && readOrigin(URL.parse(value)?.origin ?? '') !== null
      ? value
      : refuse('an address must begin with https:// or http://, and a host'),
  { maxLength: 2000, examples: ['https://www.example.com/thanks'] },
)

const about = {
  key: 'The name of the answer. It is unique in the form.',
  label: 'What people read beside the field.',
  type: 'The kind of value. `scale` is a number from 0 to 10.',
  required: 'Whether an answer is needed.',
  options: 'The choices of `select` and `multi_select`.',
  maps_to:
    'The field of the contact that the answer fills, such as `email` or `custom.plan`; null: only the submission has the answer.',
  hint: 'A short help below the field; null: none.',
  text: 'The text that the person agrees to.',
  channels: 'The channels of `consent` of the contact that the person agrees to.',
  consentRequired: 'Whether the form can be sent only with this consent.',
  thankText: 'What people read after they sent the form.',
  thankUrl: 'The page that opens instead of the text; null: none.',
}

const typeWord = literal(...formFieldTypes).meta({ title: 'FormFieldType' })
const channelWord = literal(...channels).meta({ title: 'FormConsentChannel' })

const field = nested({
  key: fieldKey.describe(about.key),
  label: text({ min: 1, max: 200, trim: true }).describe(about.label),
  type: typeWord.default('text').describe(about.type),
  required: strictBoolean().default(false).describe(about.required),
  options: list(text({ min: 1, max: 200, trim: true }), { max: 100 })
    .default([])
    .describe(about.options),
  maps_to: mapsTo.nullable().default(null).describe(about.maps_to),
  hint: text({ min: 1, max: 300, trim: true }).nullable().default(null).describe(about.hint),
}).meta({ title: 'CreateFormField' })

const fields = list(field, { min: 1, max: 30 }).describe('The fields, in the order in which people see them.')

const consent = nested({
  text: text({ min: 1, max: 2000, trim: true }).describe(about.text),
  channels: list(channelWord, { min: 1, max: 2 }).describe(about.channels),
  required: strictBoolean().default(false).describe(about.consentRequired),
})
  .meta({ title: 'CreateFormConsent' })
  .nullable()
  .describe('A check box with a consent text; null: the form asks for no consent.')

const thankYou = nested({
  text: text({ min: 1, max: 1000, trim: true })
    .default('Thank you. We got your answers.')
    .describe(about.thankText),
  url: webAddress.nullable().default(null).describe(about.thankUrl),
}).meta({ title: 'CreateFormThankYou', description: 'What happens after a person sent the form.' })

const name = text({ min: 1, max: 120, trim: true }).describe('A name that only your organization sees.')
const status = literal(...statuses)
  .meta({ title: 'FormStatus' })
  .describe('Only a `live` form can be opened and sent.')
const title = text({ min: 1, max: 200, trim: true }).describe('The heading that people see.')
const description = text({ max: 1000, trim: true }).describe('A text below the heading; empty: none.')
const submitLabel = text({ min: 1, max: 60, trim: true }).describe('The text of the button.')
const origins = originList.describe(
  'The sites that may show the form or send it, such as `https://www.example.com`. `https://*.example.com` is every subdomain of example.com. An empty list allows every site.',
)

export const CreateForm = z
  .object({
    name,
    status: status.default('draft'),
    title: title.optional().describe('The heading that people see; by default the name.'),
    description: description.default(''),
    fields,
    consent: consent.default(null),
    call_back: callBackInput.default(null),
    submit_label: submitLabel.default('Send'),
    thank_you: thankYou.default({ text: 'Thank you. We got your answers.', url: null }),
    origins: origins.default([]),
  })
  .meta({ title: 'CreateForm' })

export const UpdateForm = z
  .object({
    name: name.optional(),
    status: status.optional(),
    title: title.optional(),
    description: description.optional(),
    fields: fields.optional(),
    consent: consent.optional(),
    call_back: callBackInput.optional(),
    submit_label: submitLabel.optional(),
    thank_you: thankYou.optional(),
    origins: origins.optional(),
  })
  .meta({ title: 'UpdateForm' })

export const FormPath = z.object({ form_id: id().describe('The id of the form.') })

const shownField = z
  .object({
    key: shown.text(about.key, 'email'),
    label: shown.text(about.label, 'E-mail'),
    type: shown.word('FormFieldType', formFieldTypes, about.type),
    required: z.boolean().meta({ description: about.required, examples: [true] }),
    options: z.array(z.string()).meta({ description: about.options, examples: [[]] }),
    maps_to: shown.text(about.maps_to, 'email').nullable(),
    hint: shown.text(about.hint, 'We send the price list to this address.').nullable(),
  })
  .meta({ title: 'FormField' })

const shownConsent = z
  .object({
    text: shown.text(about.text, 'You may send me news by e-mail.'),
    channels: z.array(shown.word('FormConsentChannel', channels, 'A channel.')).describe(about.channels),
    required: z.boolean().meta({ description: about.consentRequired, examples: [false] }),
  })
  .meta({ title: 'FormConsent' })
  .nullable()
  .describe('A check box with a consent text; null: the form asks for no consent.')

const definition = {
  title: shown.text('The heading that people see.', 'Ask for a demo'),
  description: shown.text('A text below the heading; empty: none.', 'We answer within a day.'),
  fields: z.array(shownField).describe('The fields, in the order in which people see them.'),
  consent: shownConsent,
  call_back: shownCallBack,
  submit_label: shown.text('The text of the button.', 'Send'),
  thank_you: z
    .object({
      text: shown.text(about.thankText, 'Thank you. We got your answers.'),
      url: shown.text(about.thankUrl, 'https://www.example.com/thanks').nullable(),
    })
    .meta({ title: 'FormThankYou', description: 'What happens after a person sent the form.' }),
}

export const Form = z
  .object({
    form_id: shown.id('The id of the form. It is public: it is part of the address of the hosted page.'),
    name: shown.text('A name that only your organization sees.', 'Demo requests'),
    status: shown.word('FormStatus', statuses, 'Only a `live` form can be opened and sent.'),
    ...definition,
    origins: z.array(z.string()).meta({
      description: 'The sites that may show the form or send it. Empty: every site.',
      examples: [['https://www.example.com']],
    }),
    problem: shown
      .text(
        'For each question whose answers do not fill its field of the contact: why, and what to do. null: all of them fit.',
        'The answers to “Size” stay in the submissions and do not fill custom.size: contacts have no defined field with this key; define it first. Edit the form.',
      )
      .nullable(),
    submissions: shown.count(
      'The number of accepted submissions: spam and reverted submissions do not count.',
      12,
    ),
    version: shown.version(),
    created_at: shown.time('When the form was created.'),
    updated_at: shown.time('When the form was last changed.'),
  })
  .meta({ title: 'Form' })

export const FormVersion = z
  .object({
    version: shown.count('The number of the version.', 3),
    ...definition,
    created_at: shown.time('When this version became the current one.'),
  })
  .meta({ title: 'FormVersion' })

export type CreateForm = z.output<typeof CreateForm>
export type UpdateForm = z.output<typeof UpdateForm>
export type Form = z.output<typeof Form>
export type FormField = z.output<typeof shownField>
export type FormVersion = z.output<typeof FormVersion>
/** What people see of a form, and the fields of contacts that it fills. */
export type FormDefinition = Omit<FormVersion, 'version' | 'created_at'>
