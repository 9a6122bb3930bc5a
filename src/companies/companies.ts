import { readDomain } from '../normalize/domain.ts'
import { domainOfWebsite } from '../normalize/website.ts'
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
import { columnIs } from '../records/column-filters.ts'
import { commonColumns, commonMembers, profileColumns } from '../records/fields.ts'
import { applyRawPhone, needsCountry, phoneFilter, readPhones } from '../records/phones.ts'
import type { ExactKey, Fields, OrgDefaults, RecordType, StoredColumns } from '../records/record-type.ts'
import { toCompany } from '../records/references.ts'
import { Company, CompanyFields } from './schema.ts'

const domainKeys = (state: StoredColumns): ExactKey[] =>
  (state.domains as string[]).map((value) => ({ kind: 'domain', value }))

const phoneKeys = (state: StoredColumns): ExactKey[] =>
  state.phone === null ? [] : [{ kind: 'phone', value: state.phone as string }]

function apply(
  before: StoredColumns | null,
  fields: Fields,
  orgDefaults: OrgDefaults,
  add: boolean,
): StoredColumns {
  const given = fields as Partial<CompanyFields>
  const named = applyPrimary(
    (before?.domains ?? []) as string[],
    given.domain,
    given.domains,
    (value) => value,
    add,
  )
  const domains = named.length > 0 ? named : fromWebsite(given)
  const { phone } = readPhones(fields, orgDefaults)
  return {
    ...applyText(before, fields, ['name', 'website', 'industry']),
    ...applyProfile(before, fields),
    domain: domains[0] ?? null,
    domains,
    phone: phone === undefined ? (before?.phone ?? null) : phone,
    phone_raw: applyRawPhone(before, fields, add),
    employee_count:
      given.employee_count === undefined ? (before?.employee_count ?? null) : given.employee_count,
    ...applyCommon(before, fields, add),
  }
}

function check(before: StoredColumns | null, after: StoredColumns): void {
  requireIdentity(
    after,
    ['name', 'domain', 'phone', 'phone_raw'],
    'a company needs at least one of name, domain, phone and external_ids',
  )
  requireRoom(before, after, { domains: 50, tags: 100, external_ids: 50 })
}

/** The domain of a website that is given without a word about domains. */
function fromWebsite({ domain, domains, website }: Partial<CompanyFields>): string[] {
  if (!website || domain !== undefined || domains !== undefined) return []
  const found = domainOfWebsite(website)
  return found === null ? [] : [found]
}

/** Columns that are members of the wire form. */
const own = {
  name: 'text',
  domain: 'text',
  domains: 'text[]',
  phone: 'text',
  phone_raw: 'text',
  website: 'text',
  industry: 'text',
  employee_count: 'integer',
  ...profileColumns,
} as const

/** Companies: organizations that contacts work for, by name, domain or an id in another system. */
export const companies: RecordType = {
  entity: 'company',
  path: '/companies',
  tag: 'Companies',
  idField: 'company_id',
  columns: { ...own, ...commonColumns },
  fieldNames: {},
  wire: new JsonColumns('r', { company_id: 'uuid', ...own, ...commonMembers }),
  search: 'app.search_companies',
  references: [],
  links: [],
  referrers: [
    { entity: 'contact', ...toCompany },
    { entity: 'deal', ...toCompany },
  ],
  fields: CompanyFields,
  changes: CompanyFields,
  response: Company,
  keyFilters: {
    domain: {
      schema: filterText(2000),
      description: 'One of the company’s domains.',
      key: (value) => {
        const read = readDomain(value)
        return 'domain' in read ? { kind: 'domain', value: read.domain } : read
      },
    },
    phone: phoneFilter,
    tag: tagFilter,
  },
  columnFilters: { import_id: { schema: id().optional(), where: columnIs('import_id', 'uuid') } },
  matchOn: { domain: domainKeys, phone: phoneKeys, external_id: externalIdKeys },
  example: { name: 'Acme', domain: 'acme.example', industry: 'Manufacturing', employee_count: 250 },
  changeExample: { city: 'London' },
  apply,
  check,
  merging: {
    lists: { domains: { primary: 'domain', keyOf: String }, ...commonLists },
    policies: commonPolicies,
  },
  keys: (state) => [...domainKeys(state), ...phoneKeys(state), ...externalIdKeys(state), ...tagKeys(state)],
  searchable: (state) => [state.name as string | null, ...(state.domains as string[])],
  needsCountry,
}
