import { readEmail } from '../normalize/email.ts'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { id } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import {
  applyCommon,
  applyPrimary,
  applyProfile,
  applyText,
  commonLists,
  commonPolicies,
  externalIdKeys,
  requireIdentity,
  requireRoom,
  tagFilter,
  tagKeys,
} from '../records/apply.ts'
import { columnIs, referenceIs } from '../records/column-filters.ts'
import { commonColumns, commonMembers, profileColumns } from '../records/fields.ts'
import { canonicalIdSql } from '../records/pending-moves.ts'
import { applyRawPhone, needsCountry, phoneFilter, readPhones } from '../records/phones.ts'
import type { ExactKey, Fields, OrgDefaults, RecordType, StoredColumns } from '../records/record-type.ts'
import { toCompany } from '../records/references.ts'
import { applyConsent } from './consent.ts'
import { Contact, ContactFields } from './schema.ts'

const textColumns = ['first_name', 'last_name', 'company_name', 'job_title', 'lifecycle_stage'] as const

function emailKey(value: string): string {
  const read = readEmail(value)
  return 'key' in read ? read.key : value.toLowerCase()
}

const emailKeys = (state: StoredColumns): ExactKey[] =>
  (state.emails as string[]).map((value) => ({ kind: 'email', value: emailKey(value) }))

const phoneKeys = (state: StoredColumns): ExactKey[] =>
  (state.phones as string[]).map((value) => ({ kind: 'phone', value }))

function apply(
  before: StoredColumns | null,
  fields: Fields,
  orgDefaults: OrgDefaults,
  add: boolean,
): StoredColumns {
  const given = fields as Partial<ContactFields>
  const { phone, phones: allGiven } = readPhones(fields, orgDefaults)
  const phones = applyPrimary((before?.phones ?? []) as string[], phone, allGiven, (value) => value, add)
  const emails = applyPrimary((before?.emails ?? []) as string[], given.email, given.emails, emailKey, add)
  return {
    email: emails[0] ?? null,
    emails,
    phone: phones[0] ?? null,
    phones,
    phone_raw: applyRawPhone(before, fields, add),
    ...applyText(before, fields, textColumns),
    ...applyProfile(before, fields),
    company_raw_id: given.company_id === undefined ? (before?.company_raw_id ?? null) : given.company_id,
    company_id: before?.company_id ?? null,
    ...applyConsent(before, given),
    ...applyCommon(before, fields, add),
  }
}

function check(before: StoredColumns | null, after: StoredColumns): void {
  requireIdentity(
    after,
    ['first_name', 'last_name', 'email', 'phone', 'phone_raw'],
    'a contact needs at least one of first_name, last_name, email, phone and external_ids',
  )
  requireRoom(before, after, { emails: 50, phones: 50, tags: 100, external_ids: 50 })
}

/** Columns that are members of the wire form: who somebody is, and where they work. */
const named = {
  email: 'text',
  emails: 'text[]',
  phone: 'text',
  phones: 'text[]',
  phone_raw: 'text',
  first_name: 'text',
  last_name: 'text',
} as const
const employed = { company_name: 'text', job_title: 'text', lifecycle_stage: 'text' } as const

/** Contacts: people, by name, e-mail, phone or an id in another system. */
export const contacts: RecordType = {
  entity: 'contact',
  path: '/contacts',
  tag: 'Contacts',
  idField: 'contact_id',
  columns: {
    ...named,
    company_raw_id: 'uuid',
    company_id: 'uuid',
    ...employed,
    consent_email: 'text',
    consent_phone: 'text',
    consent_email_details: 'jsonb',
    consent_phone_details: 'jsonb',
    ...profileColumns,
    ...commonColumns,
  },
  fieldNames: {
    consent_email: 'consent.email',
    consent_phone: 'consent.phone',
    consent_email_details: 'consent_details.email',
    consent_phone_details: 'consent_details.phone',
  },
  wire: new JsonColumns('r', {
    contact_id: 'uuid',
    ...named,
    company_id: { sql: canonicalIdSql('r', toCompany), kind: 'uuid' },
    ...employed,
    consent: {
      object: {
        email: { sql: 'r.consent_email', kind: 'text' },
        phone: { sql: 'r.consent_phone', kind: 'text' },
      },
    },
    consent_details: {
      object: {
        email: { sql: 'r.consent_email_details', kind: 'jsonb' },
        phone: { sql: 'r.consent_phone_details', kind: 'jsonb' },
      },
    },
    ...profileColumns,
    ...commonMembers,
  }),
  search: 'app.search_contacts',
  references: [toCompany],
  links: [],
  referrers: [
    {
      entity: 'deal',
      table: 'deal_contact',
      field: 'contact_ids',
      rawColumn: 'contact_raw_id',
      column: 'contact_id',
    },
  ],
  fields: ContactFields,
  changes: ContactFields,
  response: Contact,
  keyFilters: {
    email: {
      schema: filterText(1000),
      description: 'Any of the addresses, in any case.',
      key: (value) => {
        // A plus that was not encoded arrives as a space, which is in no address but a quoted one.
        const read = readEmail(value.includes('"') ? value : value.trim().replaceAll(' ', '+'))
        return 'key' in read ? { kind: 'email', value: read.key } : read
      },
    },
    phone: { ...phoneFilter, description: `Any of the numbers; ${phoneFilter.description}` },
    tag: tagFilter,
  },
  columnFilters: {
    company_id: { schema: id().optional(), ...referenceIs(toCompany) },
    import_id: { schema: id().optional(), where: columnIs('import_id', 'uuid') },
  },
  matchOn: { email: emailKeys, phone: phoneKeys, external_id: externalIdKeys },
  example: {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+14155550100',
    tags: ['vip'],
  },
  changeExample: { city: 'London' },
  apply,
  check,
  merging: {
    units: {
      consent_email: ['consent_email', 'consent_email_details'],
      consent_phone: ['consent_phone', 'consent_phone_details'],
    },
    explained: ['consent_email', 'consent_phone'],
    lists: {
      emails: { primary: 'email', keyOf: (email) => emailKey(email as string) },
      phones: { primary: 'phone', keyOf: String },
      ...commonLists,
    },
    policies: {
      lifecycle_stage: 'furthest_stage',
      consent_email: 'most_restrictive',
      consent_phone: 'most_restrictive',
      ...commonPolicies,
    },
  },
  keys: (state) => [...emailKeys(state), ...phoneKeys(state), ...externalIdKeys(state), ...tagKeys(state)],
  searchable: (state) => [
    state.first_name as string | null,
    state.last_name as string | null,
    ...(state.emails as string[]),
    ...(state.phones as string[]),
    state.company_name as string | null,
  ],
  needsCountry,
}
