import { z } from 'zod'
import { nested } from '../platform/http/collections.ts'
import type { Failure } from '../platform/http/failure.ts'
import { field, refuse, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { templateMax } from './compile/budget.ts'
import { readServiceAccount } from './providers/google-account.ts'

export const providers = ['sandbox', 'gmail', 'manual'] as const
export type ProviderName = (typeof providers)[number]

/** A push with one of the first three statuses has not ended. */
export const pushStatuses = [
  'queued',
  'compiling',
  'installing',
  'installed',
  'failed',
  'manual_pending',
] as const

export const templateFields = {
  html: text({ min: 1, max: templateMax }).describe('HTML with Liquid; see docs/reference/signatures.md.'),
  text: text({ max: templateMax })
    .nullable()
    .optional()
    .describe('The plain text, with Liquid; null: it is derived from the HTML.'),
}
const templateName = text({ min: 1, max: 120, trim: true }).describe('The name of the template.')

export const TemplateQuery = z.object(listQuery)
export const CreateTemplate = z
  .object({ name: templateName, ...templateFields })
  .meta({ title: 'CreateSignatureTemplate' })
export const UpdateTemplate = z
  .object({ name: templateName.optional(), ...templateFields, html: templateFields.html.optional() })
  .meta({ title: 'UpdateSignatureTemplate' })

export const Template = z
  .object({
    template_id: shown.id('The id of the template.'),
    name: shown.text('The name of the template.', 'Plain'),
    html: shown.text('HTML with Liquid.', '<p>{{ display_name }}<br>{{ title }}</p>'),
    text: shown
      .text('The plain text, with Liquid; null: it is derived from the HTML.', '{{ display_name }}')
      .nullable(),
    mailboxes: shown.count('The number of mailboxes that use the template.', 12),
    version: shown.count('A number that rises with every change. Send it in If-Match, and in a push.', 1),
    created_at: shown.time('When the template was created.'),
    updated_at: shown.time('When the template was last changed.'),
  })
  .meta({ title: 'SignatureTemplate' })

export const pushErrors = [
  'mailbox_deleted',
  'template_missing',
  'template_invalid',
  'provider_not_configured',
  'provider_refused',
  'provider_unavailable',
  'internal_error',
] as const
export type PushError = Failure<(typeof pushErrors)[number]>

const serviceAccount = field(
  (value) => {
    const read = readServiceAccount(value)
    return 'problem' in read ? refuse(read.problem) : read
  },
  {
    title: 'GoogleServiceAccountKey',
    type: 'object',
    properties: {
      client_email: { type: 'string', description: 'The address of the service account.' },
      private_key: { type: 'string', description: 'The private key in PEM.' },
    },
    required: ['client_email', 'private_key'],
  },
)

export const UpdateSettings = z
  .object({
    gmail: nested({
      service_account: serviceAccount
        .nullable()
        .optional()
        .describe(
          'The key file of a service account with domain-wide delegation, as Google issues it; null deletes it.',
        ),
    })
      .meta({ title: 'ChangeGmailSettings' })
      .nullable()
      .optional()
      .describe('How signatures are installed in Gmail; only the fields that you send change.'),
  })
  .meta({ title: 'UpdateSignatureSettings' })

const ServiceAccount = z
  .object({
    client_email: shown.text(
      'The address of the service account.',
      'crosswalk@example.iam.gserviceaccount.com',
    ),
  })
  .meta({ title: 'GoogleServiceAccount' })

const GmailSettings = z
  .object({
    service_account: ServiceAccount.nullable().describe(
      'The stored service account, without its private key; null: none is stored.',
    ),
  })
  .meta({ title: 'GmailSettings' })

export const Settings = z
  .object({
    gmail: GmailSettings.describe('How signatures are installed in Gmail.'),
  })
  .meta({ title: 'SignatureSettings' })

export type CreateTemplate = z.output<typeof CreateTemplate>
export type UpdateTemplate = z.output<typeof UpdateTemplate>
export type Template = z.output<typeof Template>
export type Settings = z.output<typeof Settings>
export type UpdateSettings = z.output<typeof UpdateSettings>
