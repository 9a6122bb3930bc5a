import { z } from 'zod'
import { dictionaryOf } from '../platform/http/collections.ts'
import { failure } from '../platform/http/failure.ts'
import { id, integer, literal, text } from '../platform/http/fields.ts'
import { filterText, listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { email, singleLine } from '../records/fields.ts'
import { ownNames } from './compile/scope.ts'
import { providers, pushErrors, pushStatuses, templateFields } from './schema.ts'

const fieldsMax = 50

export const MailboxPath = z.object({
  mailbox_id: integer({ min: 1 }).meta({ description: 'The id of the mailbox.', examples: [255] }),
})

/** The id of a mailbox is a number. */
export const mailboxId = shown.count('The id of the mailbox.', 255)

const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
const compiledHtml = shown.text('The HTML of the signature.', '<p>Ada Lovelace<br>Head of Research</p>')
const compiledText = shown.text('The plain text of the signature.', 'Ada Lovelace\nHead of Research')

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
    'The person’s data for the template, such as title, phone or photo_url. Only the fields that you send change; null for a text clears it, and null for `fields` clears all texts.',
  )

const address = email.describe('The e-mail address of the mailbox.')

const mailboxFields = {
  display_name: singleLine(200).describe('The name of the person, for the template.'),
  provider: literal(...providers)
    .meta({ title: 'SignatureProvider' })
    .optional()
    .describe('How the signature is installed. API keys of test mode always use the sandbox.'),
  template_id: id().nullable().optional().describe('The template of the signature; null: none.'),
  persona_id: id().nullable().optional().describe('The persona that the template sees as `persona`.'),
  fields,
}

export const CreateMailbox = z.object({ email: address, ...mailboxFields }).meta({ title: 'CreateMailbox' })
export const UpdateMailbox = z
  .object({ email: address.optional(), ...mailboxFields })
  .meta({ title: 'UpdateMailbox' })

export const MailboxQuery = z.object({
  template_id: id().optional().describe('Only mailboxes with this template.'),
  provider: literal(...providers)
    .meta({ title: 'SignatureProvider' })
    .optional()
    .describe('Only mailboxes with this provider.'),
  email: filterText(254).describe('Only the mailbox with this address.'),
  ...listQuery,
})

const deployment = z
  .object({
    mode: shown.mode('The mode of the pushes: the mode of the API keys that requested them.'),
    status: shown.word(
      'DeploymentStatus',
      ['never', ...pushStatuses],
      'The state of the last push. `never`: there was none.',
      'installed',
    ),
    revision: shown.count('The installed version of the mailbox; null: none is installed.', 3).nullable(),
    installed_at: shown.time('When the signature was installed; null: none is installed.').nullable(),
    error: failure(
      'SignaturePushFailure',
      pushErrors,
      'Why the last push failed or will be retried; null: neither.',
    ),
    html_sha256: shown
      .text('SHA-256 of the installed HTML in UTF-8; null: none is installed.', sha256)
      .nullable(),
  })
  .meta({ title: 'SignatureDeployment', description: 'The result of the last push.' })

export const Mailbox = z
  .object({
    mailbox_id: mailboxId,
    email: shown.text('The e-mail address of the mailbox.', 'ada@acme.example'),
    display_name: shown.text('The name of the person; null: none.', 'Ada Lovelace').nullable(),
    provider: shown.word('SignatureProvider', providers, 'How the signature is installed.', 'gmail'),
    template_id: shown.id('The template of the signature; null: none.').nullable(),
    persona_id: shown.id('The persona that the template sees; null: none.').nullable(),
    fields: z.record(z.string(), z.string()).meta({
      description: 'The data of the person for the template.',
      examples: [{ title: 'Head of Research', phone: '+1 415 555 0100' }],
    }),
    version: shown.count(
      'The version that the next push would install. It rises when the mailbox or its template changes.',
      3,
    ),
    deployment,
    created_at: shown.time('When the mailbox was added.'),
    updated_at: shown.time('When the mailbox was last changed.'),
  })
  .meta({ title: 'Mailbox' })

const Warning = z
  .object({
    code: shown.text('The kind of the warning.', 'text_empty'),
    message: shown.text(
      'The possible display problem, and its cause.',
      'the plain text is empty: readers without HTML see no signature',
    ),
    part: shown
      .word(
        'SignaturePart',
        ['html', 'text'],
        'The part of the template with the cause; null: unknown.',
        'html',
      )
      .nullable(),
    line: shown.count('The line of the cause in that part, from 1; null: unknown.', 3).nullable(),
  })
  .meta({ title: 'SignatureWarning' })

export const Preview = z
  .object({
    mailbox_id: mailboxId,
    version: shown.count('The version of the mailbox that is shown.', 3),
    html: compiledHtml,
    text: compiledText,
    size: shown.count('Characters of the HTML; the maximum is 10,000.', 39),
    html_sha256: shown.text('SHA-256 of the HTML in UTF-8.', sha256),
    warnings: z
      .array(Warning)
      .meta({ description: 'Possible display problems in mail programs.', examples: [[]] }),
  })
  .meta({ title: 'SignaturePreview' })

export const PreviewTemplate = z
  .object({
    ...templateFields,
    mailbox_id: integer({ min: 1 })
      .nullable()
      .optional()
      .describe(
        'The mailbox whose data is shown. Without it, each name in the template shows itself or an example.',
      ),
  })
  .meta({ title: 'PreviewSignatureTemplate' })

export const TemplatePreview = Preview.pick({ html: true, text: true, size: true, warnings: true }).meta({
  title: 'SignatureTemplatePreview',
})

export const SandboxSignature = z
  .object({
    mailbox_id: mailboxId,
    mode: shown.mode('The mode of the push.'),
    revision: shown.count('The installed version of the mailbox.', 3),
    html: compiledHtml,
    text: compiledText,
    installed_at: shown.time('When the signature was installed.'),
  })
  .meta({ title: 'SandboxSignature' })

export type CreateMailbox = z.output<typeof CreateMailbox>
export type UpdateMailbox = z.output<typeof UpdateMailbox>
export type MailboxQuery = z.output<typeof MailboxQuery>
export type Mailbox = z.output<typeof Mailbox>
export type Preview = z.output<typeof Preview>
export type PreviewTemplate = z.output<typeof PreviewTemplate>
export type TemplatePreview = z.output<typeof TemplatePreview>
export type SandboxSignature = z.output<typeof SandboxSignature>
