import { z } from 'zod'
import { contacts } from '../contacts/contacts.ts'
import { list, nested } from '../platform/http/collections.ts'
import { type Failure, failure } from '../platform/http/failure.ts'
import { id, integer, literal, strictBoolean, timestamp } from '../platform/http/fields.ts'
import { filterText, listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { withOtherRequests } from '../platform/http/unknown-names.ts'
import { filterTree } from '../records/filters/read-json.ts'

const jobErrors = ['access_refused', 'crm_unusable', 'crm_unavailable', 'internal_error'] as const
export type JobError = Failure<(typeof jobErrors)[number]>

const itemErrors = ['not_reachable', 'merged', 'duplicate', 'refused', 'not_tried'] as const
export type ItemError = Failure<(typeof itemErrors)[number]>

const filterNames = ['email', 'phone', 'tag', 'company_id', 'import_id', 'lifecycle_stage'] as const
const filterShape = {
  q: filterText(500).describe(
    'Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough.',
  ),
  updated_since: timestamp()
    .optional()
    .describe('Unix seconds: only people who changed at or after this time.'),
  ...Object.fromEntries(
    filterNames.flatMap((name) => {
      const { schema, description } = contacts.filters[name] ?? {}
      const about = description ?? `Only people with this \`${name}\`.`
      return schema ? [[name, schema.optional().describe(about)]] : []
    }),
  ),
}

const treeNames = ['field', 'op', 'value', 'and', 'or', 'not']
const treeHints = Object.fromEntries(treeNames.map((name) => [name, 'a tree of conditions as `conditions`']))

const filter = withOtherRequests(nested(filterShape), treeHints).meta({
  title: 'CrmPopulationFilter',
  description: 'The filters of GET /contacts, and `lifecycle_stage`: only people who match all of them.',
})

const contactIdsMax = 10_000

const population = {
  connection_id: id().describe('The connection to push to.'),
  contact_ids: list(id(), { min: 1, max: contactIdsMax })
    .optional()
    .describe('Only the people with these contact ids.'),
  filter: filter.optional(),
  conditions: filterTree(contacts.filters)
    .optional()
    .describe('A tree of conditions, as `filter` of POST /contacts/search: only people who match it.'),
  segment_id: id().optional().describe('Only people of this segment of contacts, as it is now.'),
}
type Selectors = { [name in 'contact_ids' | 'filter' | 'conditions' | 'segment_id']?: unknown }
const hasAtMostOne = ({ contact_ids, filter, conditions, segment_id }: Selectors) =>
  contact_ids === undefined || [filter, conditions, segment_id].every((each) => each === undefined)

const notBoth = 'send contact_ids, or filter, conditions and segment_id, not both'

export const Preview = z.object(population).refine(hasAtMostOne, notBoth).meta({ title: 'CrmPreviewRequest' })

export const Push = z
  .object({
    ...population,
    large_population_confirmed: strictBoolean()
      .default(false)
      .describe('True, as a JSON boolean, allows a push of more people than the confirmation threshold.'),
    resend_unchanged: strictBoolean()
      .default(false)
      .describe('True also sends people who did not change since the last push.'),
  })
  .refine(hasAtMostOne, notBoth)
  .meta({ title: 'CrmPushRequest' })

export const PreviewAnswer = z
  .object({
    count: shown.count(
      'How many people a push would push: active contacts with an e-mail address or a phone number, and contacts that an earlier push sent.',
      120,
    ),
    threshold: shown.count('A push of more people than this needs a confirmation.', 1000),
    confirmation_required: shown.flag('Whether the push needs `large_population_confirmed`.'),
    would_create: shown.count('People who are not in the CRM yet.', 20),
    would_update: shown.count(
      'People who are already in the CRM. The push skips those who did not change.',
      100,
    ),
    skipped: z.record(z.string(), z.int()).meta({
      description: 'The number of selected people who are not pushed, by reason.',
      examples: [{ no_email_or_phone: 3 }],
    }),
    sample: z.array(z.record(z.string(), z.unknown())).meta({
      description: 'Five people in the form in which they would be sent.',
      examples: [[{ email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace' }]],
    }),
  })
  .meta({ title: 'CrmPreview' })

const jobKinds = ['leads_push', 'contacts_push'] as const
const jobStatuses = [
  'queued',
  'running',
  'succeeded',
  'partially_succeeded',
  'failed',
  'refused',
  'canceled',
] as const
export const itemOutcomes = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const

export const JobQuery = z.object({
  connection_id: id().optional().describe('Only jobs of this connection.'),
  status: literal(...jobStatuses)
    .meta({ title: 'CrmJobStatus' })
    .optional()
    .describe('Only jobs of this status.'),
  ...listQuery,
})
export const ItemQuery = z.object({
  outcome: literal(...itemOutcomes)
    .meta({ title: 'CrmItemOutcome' })
    .optional()
    .describe('Only people with this outcome.'),
  ...listQuery,
})

const JobCounts = z
  .object({
    processed: shown.count('People whom the job has processed.', 120),
    created: shown.count('People whom the push created in the CRM.', 20),
    updated: shown.count('People whom the push updated in the CRM.', 90),
    unchanged: shown.count('People who did not change since the last push.', 7),
    skipped: shown.count('People who cannot be pushed.', 3),
    failed: shown.count('People whom the CRM refused.'),
  })
  .meta({ title: 'CrmJobCounts' })

const JobRefusal = z
  .object({
    reason: z
      .literal('large_population')
      .describe('More people than the confirmation threshold would be pushed.'),
    population: shown.count('How many people would be pushed.', 4200),
    threshold: shown.count('The confirmation threshold when the push was requested.', 1000),
  })
  .meta({ title: 'CrmJobRefusal' })

export const Job = z
  .object({
    job_id: shown.id('The id of the job.'),
    kind: shown.word('CrmJobKind', jobKinds, 'Whether people are pushed as Leads or as Contacts.'),
    status: shown.word(
      'CrmJobStatus',
      jobStatuses,
      'The state of the job. All states except `queued` and `running` are final.',
      'succeeded',
    ),
    connection_id: shown.id('The connection that the job pushes to.'),
    mode: shown.mode('The mode of the API key. A job of test mode pushes to a sandbox.'),
    population: shown.count('How many people the job pushes; null: the job has not begun.', 120).nullable(),
    threshold: shown.count('A push of more people than this needs a confirmation.', 1000),
    large_population_confirmed: shown.flag('Whether the request confirmed a large push.'),
    cancel_requested: shown.flag(
      'True: the job was canceled. It stays `running` until the batches under way have ended.',
    ),
    counts: JobCounts.describe('The progress of the job so far.'),
    refusal: JobRefusal.nullable().meta({
      description: 'Why the job was refused; null: it was not.',
      examples: [null],
    }),
    error: failure('CrmJobFailure', jobErrors, 'Why the job failed, or why it waits; null: neither.'),
    created_at: shown.time('When the job was requested.'),
    started_at: shown.time('When the job began; null: not yet.').nullable(),
    finished_at: shown.time('When the job ended; null: not yet.').nullable(),
  })
  .meta({ title: 'CrmJob' })

export const Item = z
  .object({
    contact_id: shown.id('The id of the contact that is pushed.'),
    outcome: shown
      .word('CrmItemOutcome', itemOutcomes, 'The result for the person; null: none yet.')
      .nullable(),
    external_id: shown.text('The id of the person in the CRM; null: none.', '501').nullable(),
    error: failure(
      'CrmItemFailure',
      itemErrors,
      'Why the person was not pushed or, without an `outcome`, why the push tries the person again. null: no error.',
    ),
  })
  .meta({ title: 'CrmJobItem' })

export const UpdateSettings = z
  .object({
    threshold: integer({ min: 0, max: 1_000_000_000 })
      .optional()
      .describe('A push of more people than this needs a confirmation.'),
  })
  .meta({ title: 'UpdateCrmSettings' })
export const Settings = z
  .object({ threshold: shown.count('A push of more people than this needs a confirmation.', 1000) })
  .meta({ title: 'CrmSettings' })

export type Population = Pick<
  z.output<typeof Preview>,
  'contact_ids' | 'filter' | 'conditions' | 'segment_id'
>
export type Push = z.output<typeof Push>
export type PreviewAnswer = z.output<typeof PreviewAnswer>
export type Job = z.output<typeof Job>
export type JobKind = (typeof jobKinds)[number]
export type Outcome = (typeof itemOutcomes)[number]
export type JobQuery = z.output<typeof JobQuery>
export type ItemQuery = z.output<typeof ItemQuery>
