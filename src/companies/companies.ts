import { exampleId } from '../platform/http/example-ids.ts'
import { requireIdentity } from '../records/apply.ts'
import { defineType } from '../records/define-type.ts'
import { importFilter } from '../records/filters/columns.ts'
import { toCompany } from '../records/references.ts'
import { nameSort } from '../records/sort.ts'
import { companyFields } from './fields.ts'

export const companies = defineType({
  entity: 'company',
  path: '/companies',
  tag: 'Companies',
  idField: 'company_id',
  title: 'Company',
  fields: companyFields,
  search: 'app.search_companies',
  searchable: ({ name, domains }) => [name, domains].flat() as (string | null)[],
  referrers: [
    { entity: 'contact', ...toCompany },
    { entity: 'deal', ...toCompany },
  ],
  filters: { import_id: importFilter },
  sorts: { name: nameSort('r.name') },
  example: { name: 'Acme', domain: 'acme.example', industry: 'Manufacturing', employee_count: 250 },
  changeExample: { city: 'London' },
  shownExample: {
    ...{ name: 'Acme', domain: 'acme.example', domains: ['acme.example'] },
    ...{ phone: null, phone_raw: null, website: 'https://acme.example' },
    ...{ industry: 'Manufacturing', employee_count: 250 },
    ...{ linkedin_url: null, city: 'London', region: null, country: 'United Kingdom' },
    ...{ owner_id: exampleId('owner_id'), owner_email: 'sam@example.com' },
  },
  check: (_before, after) =>
    requireIdentity(
      after,
      ['name', 'domain', 'phone', 'phone_raw'],
      'a company needs at least one of name, domain, phone and external_ids',
    ),
})
