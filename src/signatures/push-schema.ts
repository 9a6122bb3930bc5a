import { z } from 'zod'
import { failure } from '../platform/http/failure.ts'
import { id, integer, literal } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { mailboxId } from './mailbox-schema.ts'
import { pushErrors, pushStatuses } from './schema.ts'

const version = integer({ min: 1, max: 2 ** 31 - 1 })

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

export const QueuedPush = z
  .object({
    mailbox_id: mailboxId,
    version: shown.count('The version of the mailbox.', 3),
    push_id: shown.id('The id of the push.'),
    status: z.literal('queued').describe('The push runs in the background.'),
    queued_at: shown.time('When the push was requested.'),
  })
  .meta({ title: 'QueuedPush' })

export const PushQuery = z.object({
  mailbox_id: integer({ min: 1 }).optional().describe('Only pushes of this mailbox.'),
  rollout_id: id().optional().describe('Only pushes of this rollout.'),
  status: literal(...pushStatuses)
    .meta({ title: 'SignaturePushStatus' })
    .optional()
    .describe('Only pushes of this status.'),
  ...listQuery,
})

export const Push = z
  .object({
    push_id: shown.id('The id of the push.'),
    mailbox_id: mailboxId,
    mode: shown.mode('The mode of the API key. A push of test mode installs nothing.'),
    status: shown.word(
      'SignaturePushStatus',
      pushStatuses,
      'The state of the push. `queued`, `compiling` and `installing` are not final.',
      'installed',
    ),
    version: shown.count('The version of the mailbox when it was pushed.', 3),
    revision: shown
      .count(
        'The version that was installed; null: none. It is newer than `version` if the mailbox changed before the install.',
        3,
      )
      .nullable(),
    rollout_id: shown.id('The rollout of the push; null: the push of a single mailbox.').nullable(),
    error: failure(
      'SignaturePushFailure',
      pushErrors,
      'Why the push failed or will be retried; null: neither.',
    ),
    install_url: z
      .string()
      .nullable()
      .meta({
        description:
          'The page from which the mailbox’s owner installs the signature, while the status is `manual_pending`. null: no page.',
        examples: [null],
      }),
    queued_at: shown.time('When the push was requested.'),
    finished_at: shown.time('When the push ended; null: not yet.').nullable(),
  })
  .meta({ title: 'SignaturePush' })

const RolloutCounts = z
  .object({
    mailboxes: shown.count('All mailboxes of the rollout.', 12),
    queued: shown.count('Mailboxes whose push waits.', 0),
    compiling: shown.count('Mailboxes whose signature is being compiled.', 0),
    installing: shown.count('Mailboxes whose signature is being installed.', 0),
    installed: shown.count('Mailboxes whose signature is installed.', 11),
    failed: shown.count('Mailboxes whose push failed.', 1),
    manual_pending: shown.count('Mailboxes whose owner has not yet installed the signature.', 0),
  })
  .meta({ title: 'SignatureRolloutCounts' })

export const Rollout = z
  .object({
    rollout_id: shown.id('The id of the rollout.'),
    template_id: shown.id('The pushed template.'),
    version: shown.count('The version of the template when it was pushed.', 1),
    mode: shown.mode('The mode of the API key.'),
    status: shown.word(
      'RolloutStatus',
      ['running', 'finished'],
      'Whether pushes of the rollout are still under way.',
      'finished',
    ),
    counts: RolloutCounts.describe('The mailboxes by the state of their push.'),
    created_at: shown.time('When the rollout was requested.'),
    finished_at: shown.time('When the last push ended; null: not yet.').nullable(),
  })
  .meta({ title: 'SignatureRollout' })

export type QueuedPush = z.output<typeof QueuedPush>
export type PushQuery = z.output<typeof PushQuery>
export type Push = z.output<typeof Push>
export type Rollout = z.output<typeof Rollout>
