import { exampleId, exampleTime } from '../platform/http/example-ids.ts'
import { requireIdentity } from '../records/apply.ts'
import { defineType } from '../records/define-type.ts'
import { importFilter, textFilter } from '../records/filters/columns.ts'
import { nameSort } from '../records/sort.ts'
import { companyByDomain } from './company-domain.ts'
import { consentWord } from './consent.ts'
import { contactFields, lifecycleStageWord } from './fields.ts'

export const contacts = defineType({
  entity: 'contact',
  path: '/contacts',
  tag: 'Contacts',
  idField: 'contact_id',
  title: 'Contact',
  fields: contactFields,
  misplaced: { name: 'the members first_name and last_name' },
  named: companyByDomain,
  search: 'app.search_contacts',
  searchable: ({ first_name, last_name, emails, phones, company_name }) =>
    [first_name, last_name, emails, phones, company_name].flat() as (string | null)[],
  referrers: [
    {
      entity: 'deal',
      table: 'deal_contact',
      field: 'contact_ids',
      rawColumn: 'contact_raw_id',
      column: 'contact_id',
    },
  ],
  filters: {
    import_id: importFilter,
    // The index contact_last_name finds records by last name, but not in the order of lists.
    last_name: { ...textFilter('r.last_name'), matches: (op) => (op === 'eq' ? 'many' : null) },
    'consent.email': { ...textFilter('r.consent_email'), schema: consentWord },
    'consent.phone': { ...textFilter('r.consent_phone'), schema: consentWord },
    lifecycle_stage: { ...textFilter('r.lifecycle_stage'), schema: lifecycleStageWord },
  },
  sorts: { name: nameSort(`coalesce(r.last_name || ' ', '') || coalesce(r.first_name, '')`) },
  example: {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+14155550100',
    tags: ['vip'],
  },
  changeExample: { city: 'London' },
  shownExample: {
    ...{ email: 'ada@example.com', emails: ['ada@example.com'], email_raw: null },
    ...{ phone: '+14155550100', phones: ['+14155550100'], phone_raw: null },
    ...{ first_name: 'Ada', last_name: 'Lovelace' },
    ...{ company_id: exampleId('company_id'), company_name: 'Acme', job_title: 'Head of Research' },
    lifecycle_stage: 'lead',
    consent: { email: 'granted', phone: 'unknown' },
    consent_details: {
      email: { kind: 'written', source: 'Newsletter form', at: exampleTime('created_at') },
      phone: null,
    },
    ...{ linkedin_url: null, city: 'London', region: null, country: 'United Kingdom' },
    ...{ owner_id: exampleId('owner_id'), owner_email: 'sam@example.com' },
    claimed_by: null,
  },
  check: (_before, after) =>
    requireIdentity(
      after,
      ['first_name', 'last_name', 'email', 'email_raw', 'phone', 'phone_raw'],
      'a contact needs at least one of first_name, last_name, email, phone and external_ids',
    ),
  merging: {
    units: {
      consent_email: ['consent_email', 'consent_email_details'],
      consent_phone: ['consent_phone', 'consent_phone_details'],
    },
    explained: ['consent_email', 'consent_phone'],
  },
})
