import { z } from 'zod'
import { dictionaryOf, nested } from '../platform/http/collections.ts'
import { type Failure, failure } from '../platform/http/failure.ts'
import { field, id, integer, literal, refuse, text } from '../platform/http/fields.ts'
import { filterText, listQuery } from '../platform/http/list.ts'
import { email, line } from '../records/fields.ts'
import { templateMax } from './compile/budget.ts'
import { ownNames } from './compile/scope.ts'
import { readServiceAccount } from './providers/google-account.ts'

/** The ways to install a signature. */
export const providers = ['sandbox', 'gmail', 'manual'] as const
export type ProviderName = (typeof providers)[number]

/** With the first three, the push has not ended. */
export const pushStatuses = [
  'queued',
  'compiling',
  'installing',
  'installed',
  'failed',
  'manual_pending',
] as const

const fieldsMax = 50

const seconds = z.int().describe('Unix seconds.')
const version = integer({ min: 1, max: 2 ** 31 - 1 })

const templateFields = {
  html: text({ min: 1, max: templateMax }).describe('HTML with Liquid; see docs/reference/signatures.md.'),
  text: text({ max: templateMax })
    .nullable()
    .optional()
    .describe('The plain text, with Liquid; null: it is derived from the HTML.'),
}
const templateName = text({ min: 1, max: 120, trim: true })

export const TemplateQuery = z.object(listQuery)
export const CreateTemplate = z
  .object({ name: templateName, ...templateFields })
  .meta({ title: 'CreateSignatureTemplate' })
export const UpdateTemplate = z
  .object({ name: templateName.optional(), ...templateFields, html: templateFields.html.optional() })
  .meta({ title: 'UpdateSignatureTemplate' })

export const Template = z
  .object({
    template_id: z.string(),
    name: z.string(),
    html: z.string(),
    text: z.string().nullable(),
    mailboxes: z.int().describe('How many mailboxes use it.'),
    version: z.int().describe('Rises with every change. Send it in If-Match, and in a push.'),
    created_at: seconds,
    updated_at: seconds,
  })
  .meta({ title: 'SignatureTemplate' })

const fields = dictionaryOf(text({ max: 2_000, trim: true }).nullable(), { max: fieldsMax })
  .refine(
    (value) => Object.keys(value).every((name) => /^[A-Za-z_]\w{0,63}$/.test(name)),
    'the name of a field may only have letters, digits and underscores, as in {{ job_title }}, and must not begin with a digit',
  )
  .refine(
    (value) => !ownNames.some((name) => Object.hasOwn(value, name)),
    `no field may have one of these names, which templates use already: ${ownNames.join(', ')}`,
  )
  .nullable()
  .optional()
  .describe(
    'The person’s data for the template, such as title, phone or photo_url. Only the members that you send change; null for a member clears it, and null for `fields` clears all members.',
  )

const mailboxFields = {
  display_name: line(200),
  provider: literal(...providers)
    .optional()
    .describe('How the signature is installed. API keys of test mode always use the sandbox.'),
  template_id: id().nullable().optional(),
  persona_id: id().nullable().optional().describe('The persona that the template sees as `persona`.'),
  fields,
}

export const CreateMailbox = z.object({ email, ...mailboxFields }).meta({ title: 'CreateMailbox' })
export const UpdateMailbox = z
  .object({ email: email.optional(), ...mailboxFields })
  .meta({ title: 'UpdateMailbox' })

export const MailboxQuery = z.object({
  template_id: id().optional(),
  provider: literal(...providers).optional(),
  email: filterText(254),
  ...listQuery,
})

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

const deployment = z
  .object({
    mode: z.enum(['live', 'test']).describe('The mode of the API keys whose pushes these are.'),
    status: z.enum(['never', ...pushStatuses]),
    revision: z.int().nullable().describe('The installed version of the mailbox; null: none is installed.'),
    installed_at: seconds.nullable(),
    error: failure(pushErrors, 'Why the last push failed or will be retried; null: neither.'),
    html_sha256: z.string().nullable().describe('SHA-256 of the installed HTML in UTF-8.'),
  })
  .describe('The result of the last push.')

export const Mailbox = z
  .object({
    mailbox_id: z.int(),
    email: z.string(),
    display_name: z.string().nullable(),
    provider: z.enum(providers),
    template_id: z.string().nullable(),
    persona_id: z.string().nullable(),
    fields: z.record(z.string(), z.string()),
    version: z
      .int()
      .describe(
        'The version that the next push would install. Rises when the mailbox changes, and when its template does.',
      ),
    deployment,
    created_at: seconds,
    updated_at: seconds,
  })
  .meta({ title: 'Mailbox' })

export const Preview = z
  .object({
    mailbox_id: z.int(),
    version: z.int(),
    html: z.string(),
    text: z.string(),
    size: z.int().describe('Characters of the HTML; the maximum is 10,000.'),
    html_sha256: z.string(),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  })
  .meta({ title: 'SignaturePreview' })

export const SandboxSignature = z
  .object({
    mailbox_id: z.int(),
    mode: z.enum(['live', 'test']),
    revision: z.int(),
    html: z.string(),
    text: z.string(),
    installed_at: seconds,
  })
  .meta({ title: 'SandboxSignature' })

export const PushMailbox = z
  .object({
    version: version.describe(
      'The version of the mailbox that you have read. If it is not the current one, the answer is 409.',
    ),
  })
  .meta({ title: 'PushMailbox' })
export const PushTemplate = z
  .object({
    version: version.describe(
      'The version of the template that you have read. If it is not the current one, the answer is 409.',
    ),
  })
  .meta({ title: 'PushTemplate' })

/** The answer to a push. */
export const QueuedPush = z
  .object({
    mailbox_id: z.int(),
    version: z.int(),
    push_id: z.string(),
    status: z.literal('queued'),
    queued_at: seconds,
  })
  .meta({ title: 'QueuedPush' })

export const PushQuery = z.object({
  mailbox_id: integer({ min: 1 }).optional(),
  rollout_id: id().optional(),
  status: literal(...pushStatuses).optional(),
  ...listQuery,
})

export const Push = z
  .object({
    push_id: z.string(),
    mailbox_id: z.int(),
    mode: z.enum(['live', 'test']),
    status: z.enum(pushStatuses),
    version: z.int().describe('The version of the mailbox when it was pushed.'),
    revision: z
      .int()
      .nullable()
      .describe(
        'The version that was installed. It is newer than `version` if the mailbox changed before the install.',
      ),
    rollout_id: z.string().nullable(),
    error: failure(pushErrors, 'Why the push failed or will be retried; null: neither.'),
    install_url: z
      .string()
      .nullable()
      .describe(
        'The page from which the mailbox’s owner installs the signature, while the status is `manual_pending`.',
      ),
    queued_at: seconds,
    finished_at: seconds.nullable(),
  })
  .meta({ title: 'SignaturePush' })

const count = z.int()
export const Rollout = z
  .object({
    rollout_id: z.string(),
    template_id: z.string(),
    version: z.int().describe('The version of the template when it was pushed.'),
    mode: z.enum(['live', 'test']),
    status: z.enum(['running', 'finished']),
    counts: z.object({
      mailboxes: count,
      queued: count,
      compiling: count,
      installing: count,
      installed: count,
      failed: count,
      manual_pending: count,
    }),
    created_at: seconds,
    finished_at: seconds.nullable(),
  })
  .meta({ title: 'SignatureRollout' })

const serviceAccount = field(
  (value) => {
    const read = readServiceAccount(value)
    return 'problem' in read ? refuse(read.problem) : read
  },
  {
    type: 'object',
    properties: { client_email: { type: 'string' }, private_key: { type: 'string' } },
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
      .nullable()
      .optional(),
  })
  .meta({ title: 'UpdateSignatureSettings' })

export const Settings = z
  .object({
    gmail: z.object({
      service_account: z
        .object({ client_email: z.string() })
        .nullable()
        .describe('null: none is stored. The private key is never shown.'),
    }),
  })
  .meta({ title: 'SignatureSettings' })

export type CreateTemplate = z.output<typeof CreateTemplate>
export type UpdateTemplate = z.output<typeof UpdateTemplate>
export type Template = z.output<typeof Template>
export type CreateMailbox = z.output<typeof CreateMailbox>
export type UpdateMailbox = z.output<typeof UpdateMailbox>
export type MailboxQuery = z.output<typeof MailboxQuery>
export type Mailbox = z.output<typeof Mailbox>
export type Preview = z.output<typeof Preview>
export type SandboxSignature = z.output<typeof SandboxSignature>
export type QueuedPush = z.output<typeof QueuedPush>
export type PushQuery = z.output<typeof PushQuery>
export type Push = z.output<typeof Push>
export type Rollout = z.output<typeof Rollout>
export type Settings = z.output<typeof Settings>
export type UpdateSettings = z.output<typeof UpdateSettings>
