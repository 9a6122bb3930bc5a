import { z } from 'zod'
import { contacts } from '../contacts/contacts.ts'
import { dictionaryOf, list, nested } from '../platform/http/collections.ts'
import { type Failure, failure } from '../platform/http/failure.ts'
import { id, integer, literal, strictBoolean, text, timestamp } from '../platform/http/fields.ts'
import { filterText, listQuery } from '../platform/http/list.ts'
import { ourFieldNames } from './field-map.ts'
import { providers } from './providers.ts'

const seconds = z.int().describe('Unix seconds.')
const name = text({ min: 1, max: 120, trim: true })

const credentials = dictionaryOf(text({ min: 1, max: 20_000, trim: true }), { max: 20 }).describe(
  'What the provider needs: salesforce {client_id, client_secret, refresh_token} or {client_id, username, private_key}, hubspot {access_token}, espocrm {url, api_key}; the sandbox needs none. They are stored sealed and never shown.',
)

const notOurField = `Crosswalk has no such field. It has ${[...ourFieldNames].join(', ')} and custom.<name>`

const fieldMap = dictionaryOf(text({ min: 1, max: 120, trim: true }).nullable(), { max: 100 })
  .superRefine((value, { addIssue }) => {
    for (const key of Object.keys(value))
      if (!ourFieldNames.has(key) && !/^custom\..{1,100}$/.test(key))
        addIssue({ code: 'custom', path: [key], message: notOurField })
  })
  .describe(
    'A name of a CRM field for each Crosswalk field; null: not pushed. Other fields go to their default in that CRM (docs/reference/crm-sync.md).',
  )

const settings = nested({
  external_id_field: text({ min: 1, max: 120, trim: true })
    .optional()
    .describe('The CRM’s field that stores our id of a person. It must be unique.'),
  allow_duplicates: strictBoolean()
    .optional()
    .describe('Whether to create people that the CRM refuses as duplicates of other records.'),
}).describe('Only members that are sent change.')

export const ConnectionQuery = z.object(listQuery)

export const CreateConnection = z
  .object({
    provider: literal(...providers),
    name: name.optional().describe("The provider's unless given."),
    credentials: credentials.optional(),
    field_map: fieldMap.optional(),
    settings: settings.optional(),
  })
  .meta({ title: 'CreateCrmConnection' })

export const UpdateConnection = z
  .object({
    name: name.optional(),
    credentials: credentials.optional(),
    field_map: fieldMap.optional(),
    settings: settings.optional(),
  })
  .meta({ title: 'UpdateCrmConnection' })

export const jobErrors = ['access_refused', 'crm_unusable', 'crm_unavailable', 'internal_error'] as const
export type JobError = Failure<(typeof jobErrors)[number]>

export const itemErrors = ['not_reachable', 'merged', 'duplicate', 'refused', 'not_tried'] as const
export type ItemError = Failure<(typeof itemErrors)[number]>

export const Connection = z
  .object({
    connection_id: z.string(),
    provider: z.enum(providers),
    name: z.string(),
    status: z.enum(['ok', 'needs_attention']),
    error: failure(['access_refused'], 'The reason for `needs_attention`, and the cure.'),
    supports_leads: z.boolean(),
    credentials: z.record(z.string(), z.string()).describe('The credentials, each with its last characters.'),
    system: z.string().describe('The name of this connection in `external_ids` of contacts.'),
    field_map: z.record(z.string(), z.string().nullable()),
    settings: z.object({ external_id_field: z.string(), allow_duplicates: z.boolean() }),
    version: z.int().describe('Rises with every change; If-Match takes it.'),
    created_at: seconds,
    updated_at: seconds,
  })
  .meta({ title: 'CrmConnection' })

const kindReport = z.object({
  works: z.boolean(),
  problems: z.array(z.string()).describe('The missing settings, and how to add them.'),
  field_map: z
    .record(z.string(), z.string())
    .describe('Each Crosswalk field that would be pushed, with its CRM field.'),
})
export const ConnectionTest = z
  .object({
    connection_id: z.string(),
    works: z.boolean().describe('Whether a push of either kind would work.'),
    lead: kindReport,
    contact: kindReport,
  })
  .meta({ title: 'CrmConnectionTest' })

const filterNames = ['email', 'phone', 'tag', 'company_id', 'import_id', 'lifecycle_stage'] as const
const filterShape = {
  q: filterText(500),
  updated_since: timestamp().optional(),
  ...Object.fromEntries(
    filterNames.flatMap((name) => {
      const { schema, description } = contacts.filters[name] ?? {}
      const optional = schema?.optional()
      return optional ? [[name, description === undefined ? optional : optional.describe(description)]] : []
    }),
  ),
}

const filter = nested(filterShape).describe(
  'The filters of GET /contacts, and `lifecycle_stage`: only people for whom all of them hold.',
)

const contactIdsMax = 10_000

const population = {
  connection_id: id(),
  contact_ids: list(id(), { min: 1, max: contactIdsMax }).optional().describe('Only these people.'),
  filter: filter.optional(),
}
const hasAtMostOne = (body: { contact_ids?: unknown; filter?: unknown }) =>
  body.contact_ids === undefined || body.filter === undefined

const notBoth = 'send contact_ids or filter, not both'

export const Preview = z.object(population).refine(hasAtMostOne, notBoth).meta({ title: 'CrmPreviewRequest' })

export const Push = z
  .object({
    ...population,
    large_population_confirmed: strictBoolean()
      .default(false)
      .describe('True, as a JSON boolean, allows a push of more people than the threshold.'),
    resend_unchanged: strictBoolean()
      .default(false)
      .describe('True also sends people who did not change since the last push.'),
  })
  .refine(hasAtMostOne, notBoth)
  .meta({ title: 'CrmPushRequest' })

export const PreviewAnswer = z
  .object({
    count: z
      .int()
      .describe(
        'How many people a push would push: active contacts with an e-mail address or a phone number, and those that an earlier push sent.',
      ),
    threshold: z.int(),
    confirmation_required: z.boolean(),
    would_create: z.int(),
    would_update: z.int().describe('People whom the CRM knows. The push skips those who did not change.'),
    skipped: z
      .record(z.string(), z.int())
      .describe('The number of selected people who are not pushed, by reason.'),
    sample: z.array(z.record(z.string(), z.unknown())).describe('Five people as they would be sent.'),
  })
  .meta({ title: 'CrmPreview' })

export const jobKinds = ['leads_push', 'contacts_push'] as const
export const jobStatuses = [
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
  connection_id: id().optional(),
  status: literal(...jobStatuses).optional(),
  ...listQuery,
})
export const ItemQuery = z.object({ outcome: literal(...itemOutcomes).optional(), ...listQuery })

const count = z.int()
export const Job = z
  .object({
    job_id: z.string(),
    kind: z.enum(jobKinds),
    status: z.enum(jobStatuses),
    connection_id: z.string(),
    mode: z.enum(['live', 'test']),
    population: count.nullable().describe('How many people it pushes; null: it has not begun.'),
    threshold: count,
    large_population_confirmed: z.boolean(),
    cancel_requested: z
      .boolean()
      .describe('True: the job was canceled. It stays `running` until the batches under way have ended.'),
    counts: z.object({
      processed: count,
      created: count,
      updated: count,
      unchanged: count,
      skipped: count,
      failed: count,
    }),
    refusal: z
      .object({ reason: z.literal('large_population'), population: count, threshold: count })
      .nullable(),
    error: failure(jobErrors, 'Why it failed, or what it waits for.'),
    created_at: seconds,
    started_at: seconds.nullable(),
    finished_at: seconds.nullable(),
  })
  .meta({ title: 'CrmJob' })

export const Item = z
  .object({
    contact_id: z.string(),
    outcome: z.enum(itemOutcomes).nullable().describe('null: not yet.'),
    external_id: z.string().nullable(),
    error: failure(itemErrors, 'Without an `outcome`: why the push tries the person again.'),
  })
  .meta({ title: 'CrmJobItem' })

export const UpdateSettings = z
  .object({ threshold: integer({ min: 0, max: 1_000_000_000 }).optional() })
  .meta({ title: 'UpdateCrmSettings' })
export const Settings = z
  .object({ threshold: z.int().describe('A push of more people than this needs a confirmation.') })
  .meta({ title: 'CrmSettings' })

export const SandboxRecord = z
  .object({
    external_id: z.string(),
    kind: z.enum(['lead', 'contact']),
    mode: z.enum(['live', 'test']),
    record_key: z.string(),
    values: z.record(z.string(), z.unknown()),
    created_at: seconds,
    updated_at: seconds,
  })
  .meta({ title: 'CrmSandboxRecord' })

export type CreateConnection = z.output<typeof CreateConnection>
export type UpdateConnection = z.output<typeof UpdateConnection>
export type Connection = z.output<typeof Connection>
export type ConnectionTest = z.output<typeof ConnectionTest>
export type Population = Pick<z.output<typeof Preview>, 'contact_ids' | 'filter'>
export type Push = z.output<typeof Push>
export type PreviewAnswer = z.output<typeof PreviewAnswer>
export type Job = z.output<typeof Job>
export type JobKind = (typeof jobKinds)[number]
export type Outcome = (typeof itemOutcomes)[number]
export type JobQuery = z.output<typeof JobQuery>
export type ItemQuery = z.output<typeof ItemQuery>
