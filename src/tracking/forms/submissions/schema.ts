import { z } from 'zod'
import { id, literal, timestamp } from '../../../platform/http/fields.ts'
import { listQuery } from '../../../platform/http/list.ts'
import * as shown from '../../../platform/http/shown.ts'
import { spamReasons } from './spam-reasons.ts'

const statuses = ['accepted', 'spam', 'reverted'] as const

export const SubmissionPath = z.object({ submission_id: id().describe('The id of the submission.') })

export const SubmissionQuery = z.object({
  ...listQuery,
  form_id: id().optional().describe('Only submissions of this form.'),
  contact_id: id().optional().describe('Only submissions that wrote this contact.'),
  status: literal(...statuses)
    .meta({ title: 'SubmissionStatus' })
    .optional()
    .describe('Only submissions with this status.'),
  mode: literal('live', 'test').meta({ title: 'Mode' }).optional().describe('Only submissions of this mode.'),
})

export const Submission = z
  .object({
    submission_id: shown.id('The id of the submission.'),
    form_id: shown.id('The form.'),
    form_version: shown.count('The version of the form that the person saw.', 3),
    mode: shown.mode('The mode of the write key; `live` for the hosted page, in a sandbox `test`.'),
    status: shown.word(
      'SubmissionStatus',
      statuses,
      '`spam` does nothing and is deleted after 30 days. `reverted`: a revert archived the contact that only this submission made.',
    ),
    spam_reason: shown
      .word('SpamReason', spamReasons, 'Why a submission counts as spam.')
      .nullable()
      .meta({ description: 'Why it counts as spam; null: it does not.', examples: [null] }),
    answers: z.record(z.string(), z.unknown()).meta({
      description: 'The answers by the keys of the fields. Fields without an answer are left out.',
      examples: [{ email: 'ada@example.com', size: '10 to 99' }],
    }),
    consent: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether the person agreed to the consent text of this version; null: the version asks for no consent.',
        examples: [true],
      }),
    contact_id: shown
      .id('The own contact of the visitor, which the submission created or changed; null: none.')
      .nullable(),
    created_contact: shown.flag('Whether the submission created this contact.', true),
    visitor_id: shown.id('The visitor. Without an id of the browser, each submission has its own visitor.'),
    write_key_id: shown.id('The write key; null: the hosted page.').nullable(),
    page_url: shown
      .text('The page with the form; null: not known.', 'https://www.example.com/demo')
      .nullable(),
    created_at: shown.time('When the submission arrived.'),
  })
  .meta({ title: 'FormSubmission' })

export const RevertForm = z
  .object({
    since: timestamp().describe('The first second of the time window.'),
    until: timestamp().optional().describe('The last second of the time window; by default now.'),
  })
  .meta({ title: 'RevertForm' })

export const RevertedForm = z
  .object({
    submissions: shown.count('The number of submissions that are now `reverted`.', 12),
    contacts: shown.count('How many of them created a contact, which a background job archives.', 9),
  })
  .meta({ title: 'RevertedForm' })

export type SubmissionQuery = z.output<typeof SubmissionQuery>
export type Submission = z.output<typeof Submission>
export type RevertForm = z.output<typeof RevertForm>
export type RevertedForm = z.output<typeof RevertedForm>
