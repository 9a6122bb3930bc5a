import { z } from 'zod'
import { dictionaryOf, nested } from '../platform/http/collections.ts'
import { exampleId } from '../platform/http/example-ids.ts'
import { failure } from '../platform/http/failure.ts'
import { literal, strictBoolean, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { crosswalkFieldNames } from './field-map.ts'
import { connectionUnion } from './new-connection.ts'
import { providers } from './providers.ts'

const name = text({ min: 1, max: 120, trim: true }).describe('The name of the connection.')
const providerWord = literal(...providers).meta({
  title: 'CrmProvider',
  description: 'The CRM. The sandbox simulates one.',
})

const credentials = dictionaryOf(text({ min: 1, max: 20_000, trim: true }), { max: 20 }).describe(
  'The credentials that the CRM needs: salesforce {client_id, client_secret, refresh_token} or {client_id, username, private_key}, hubspot {access_token}, espocrm {url, api_key}; the sandbox needs none. Crosswalk stores credentials sealed and never shows secrets in full.',
)

const notOurField = `Crosswalk has no such field. It has ${[...crosswalkFieldNames].join(', ')} and custom.<name>`

const fieldMap = dictionaryOf(text({ min: 1, max: 120, trim: true }).nullable(), { max: 100 })
  .superRefine((value, { addIssue }) => {
    for (const key of Object.keys(value))
      if (!crosswalkFieldNames.has(key) && !/^custom\..{1,100}$/.test(key))
        addIssue({ code: 'custom', path: [key], message: notOurField })
  })
  .describe(
    'For each Crosswalk field, the name of the CRM field to which it goes; null: not pushed. Fields that you do not name go to the default field in that CRM (docs/reference/crm-sync.md).',
  )

const settings = nested({
  external_id_field: text({ min: 1, max: 120, trim: true })
    .optional()
    .describe('The CRM’s field that stores the Crosswalk id of a person. It must be unique.'),
  allow_duplicates: strictBoolean()
    .optional()
    .describe('Whether to create people that the CRM refuses as duplicates of other records.'),
}).meta({ title: 'ChangeCrmConnectionSettings', description: 'Only fields that are sent change.' })

export const ConnectionQuery = z.object(listQuery)

const shared = {
  name: name.optional().describe('A name for people. By default, the name of the provider.'),
  field_map: fieldMap.optional(),
  settings: settings.optional(),
}

export const CreateConnection = z
  .object({ provider: providerWord, credentials: credentials.optional(), ...shared })
  .meta(connectionUnion('CreateCrmConnection', shared))

export const UpdateConnection = z
  .object({
    name: name.optional(),
    credentials: credentials.optional(),
    field_map: fieldMap.optional(),
    settings: settings.optional(),
  })
  .meta({ title: 'UpdateCrmConnection' })

const ConnectionSettings = z
  .object({
    external_id_field: shown.text(
      'The field of the CRM that stores the Crosswalk id of a person.',
      'crosswalk_id',
    ),
    allow_duplicates: shown.flag(
      'Whether people are created that the CRM refuses as duplicates of other records.',
    ),
  })
  .meta({ title: 'CrmConnectionSettings' })

export const Connection = z
  .object({
    connection_id: shown.id('The id of the connection.'),
    provider: shown.word('CrmProvider', providers, 'The CRM. The sandbox simulates one.', 'hubspot'),
    name: shown.text('The name of the connection.', 'Sales HubSpot'),
    status: shown.word(
      'CrmConnectionStatus',
      ['ok', 'needs_attention'],
      '`needs_attention`: the CRM refused the credentials of the last push or test. Do what `error` says.',
    ),
    error: failure(
      'CrmConnectionFailure',
      ['access_refused'],
      'The reason for `needs_attention`, and what to do; null: none.',
    ),
    supports_leads: shown.flag('Whether the CRM has Leads besides Contacts.', true),
    credentials: z.record(z.string(), z.string()).meta({
      description:
        'The credentials: `url` and `username` in full, and at most the last four characters of the others.',
      examples: [{ access_token: '…b3f1' }],
    }),
    system: shown.text('The name of this connection in `external_ids` of contacts.', 'hubspot'),
    field_map: z.record(z.string(), z.string().nullable()).meta({
      description:
        'The Crosswalk fields whose default you changed, each with its CRM field; null: not pushed.',
      examples: [{ job_title: 'jobtitle', city: null }],
    }),
    settings: ConnectionSettings.describe('How people are found and created in the CRM.'),
    version: shown.version(),
    created_at: shown.time('When the connection was created.'),
    updated_at: shown.time('When the connection was last changed.'),
  })
  .meta({ title: 'CrmConnection' })

const KindReport = z
  .object({
    works: shown.flag('Whether a push of this kind would work.', true),
    problems: z
      .array(z.string())
      .meta({ description: 'The missing settings, and how to add them.', examples: [[]] }),
    field_map: z.record(z.string(), z.string()).meta({
      description: 'Each Crosswalk field that would be pushed, with its CRM field.',
      examples: [{ email: 'email', first_name: 'firstname', last_name: 'lastname' }],
    }),
  })
  .meta({ title: 'CrmKindReport' })
export const ConnectionTest = z
  .object({
    connection_id: shown.id('The id of the connection.'),
    works: shown.flag('True if a push of at least one kind (Leads or Contacts) would work.', true),
    lead: KindReport.describe('The report about Leads.'),
    contact: KindReport.describe('The report about Contacts.'),
  })
  .meta({ title: 'CrmConnectionTest' })

export const SandboxRecord = z
  .object({
    external_id: shown.text('The id of the record in the simulated CRM.', '501'),
    kind: shown.word('CrmRecordKind', ['lead', 'contact'], 'Whether it is a Lead or a Contact.'),
    mode: shown.mode('The mode of the push that wrote the record.'),
    record_key: shown.text('The Crosswalk id of the person in the CRM.', exampleId('contact_id')),
    values: z.record(z.string(), z.unknown()).meta({
      description: 'The fields of the record, by their CRM names.',
      examples: [{ email: 'ada@example.com', first_name: 'Ada' }],
    }),
    created_at: shown.time('When the first push wrote the record.'),
    updated_at: shown.time('When the last push changed the record.'),
  })
  .meta({ title: 'CrmSandboxRecord' })

export type CreateConnection = z.output<typeof CreateConnection>
export type UpdateConnection = z.output<typeof UpdateConnection>
export type Connection = z.output<typeof Connection>
export type ConnectionTest = z.output<typeof ConnectionTest>
