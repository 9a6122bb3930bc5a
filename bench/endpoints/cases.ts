// The requests to each endpoint. Keep the order: later cases change and remove the objects of earlier ones.
import { randomInt } from 'node:crypto'
import { counts } from '../support/fill.ts'
import type { Pools, Subject } from './subject.ts'

export type Case = {
  /** The method and path in openapi.json. */
  endpoint: string
  /** Distinguishes several cases of one endpoint. */
  label?: string
  query?: (pools: Pools) => string
  /** The id in the path; null if the case has no more requests. */
  id?: (pools: Pools) => string | null
  body?: (pools: Pools) => object | null
  headers?: () => Record<string, string>
  /** Where the id in the answer goes: the pool, and the member with the id. */
  makes?: [pool: string, member: string]
  /** The pool that gets the path's object after the request. */
  gives?: string
  /** The maximum number of requests in a turn. */
  most?: number
  /** Why the request takes longer in a larger org. */
  grows?: string
  /** Whether the request reads all records of the org on purpose. */
  readsAll?: boolean
  /** Whether the case is measured for longer. */
  hot?: boolean
  /** Whether the captured statements cannot run again with other ids. */
  notBare?: boolean
  agency?: boolean
  /** The statement of the bare handler, if not the captured ones. $1 is the org. */
  bare?: string
  prepare?(subject: Subject): Promise<void>
}

const epoch = (column: string) => `floor(date_part('epoch', ${column}))::int as ${column}`
/** Reads only the rows of the page: no total, no pending moves, no next page. */
const rowsAlone = `
  select contact_id, email, emails, phone, phones, phone_raw, first_name, last_name, company_id, company_name, job_title,
    lifecycle_stage, json_build_object('email', consent_email, 'phone', consent_phone) as consent,
    json_build_object('email', consent_email_details, 'phone', consent_phone_details) as consent_details, linkedin_url, city,
    region, country, tags, custom, external_ids, source, version, ${epoch('created_at')}, ${epoch('updated_at')}, ${epoch('archived_at')}
  from contact where org_id = $1 and status = 'active' order by contact_id desc limit 25`

let unique = 0
export const fresh = () => `${process.pid}-${Date.now().toString(36)}-${unique++}`
const name = () => `n${fresh()}@new.example`
const counted = 'counts the records that the filter finds'

type Entity = 'contact' | 'company' | 'deal'

function records(entity: Entity, filters: Case[], extra: Case[], references: Case[] = []): Case[] {
  const path = { contact: '/contacts', company: '/companies', deal: '/deals' }[entity]
  const one = `${path}/{${entity}_id}`
  const bodies = {
    contact: () => ({
      ...{ email: name(), first_name: 'Ada', last_name: 'Lovelace', phone: '+14155550100', tags: ['vip'] },
    }),
    company: () => ({ name: 'Acme', domain: `c${fresh()}.example`, industry: 'Manufacturing' }),
    deal: () => ({
      ...{ name: 'Website', amount_cents: 1250000, currency: 'USD', external_ids: { crm: fresh() } },
    }),
  }
  const count = (size: number) =>
    ({ contact: size, company: counts(size).companies, deal: counts(size).deals })[entity]
  const existing = (pools: Pools) => pools.some(entity, count(pools.size))
  const changes = { contact: 'city', company: 'city', deal: 'owner_email' }
  const upserts = {
    contact: (pools: Pools) => ({ match_on: 'email', email: `p${randomInt(pools.size)}@x.example` }),
    company: (pools: Pools) => ({ match_on: 'domain', domain: `x${randomInt(count(pools.size))}.example` }),
    deal: () => ({ match_on: 'external_id', name: 'Website', external_ids: { crm: fresh() } }),
  }
  const change = () => ({ [changes[entity]]: entity === 'deal' ? name() : `City ${randomInt(1e6)}` })
  return [
    { endpoint: `GET ${path}`, hot: true, ...(entity === 'contact' ? { bare: rowsAlone } : {}) },
    ...filters.map((each) => ({ ...each, endpoint: `GET ${path}` })),
    {
      ...{ endpoint: `POST ${path}`, body: bodies[entity], makes: [`new ${entity}`, `${entity}_id`] },
      hot: true,
    },
    {
      ...{ endpoint: `POST ${path}`, label: 'Idempotency-Key', body: bodies[entity], notBare: true },
      headers: () => ({ 'idempotency-key': fresh() }),
    },
    {
      endpoint: `POST ${path}/search`,
      body: () => ({ filter: { field: 'tag', op: 'in', value: ['t1', 't2'] }, sort: '-name' }),
      ...{ notBare: true, grows: counted },
    },
    { endpoint: `GET ${one}`, id: existing, hot: true },
    { endpoint: `PATCH ${one}`, id: existing, body: change, hot: true },
    ...references,
    {
      endpoint: `POST ${path}/upsert`,
      body: (pools) => ({ ...upserts[entity](pools), ...change() }),
      notBare: true,
    },
    {
      ...{ endpoint: `POST ${path}/batch`, most: 12, notBare: true },
      body: () => ({ items: Array.from({ length: 100 }, (): object => bodies[entity]()) }),
    },
    ...extra,
    {
      ...{ endpoint: `DELETE ${one}`, id: (pools) => pools.take(`new ${entity}`), most: 60 },
      ...{ gives: `archived ${entity}`, notBare: true },
    },
    {
      ...{ endpoint: `POST ${one}/restore`, id: (pools) => pools.take(`archived ${entity}`), most: 50 },
      ...{ gives: `restored ${entity}`, notBare: true },
    },
    {
      endpoint: `POST ${one}/erase`,
      id: (pools) => pools.take(`restored ${entity}`),
      most: 40,
      notBare: true,
    },
  ]
}

export const now = () => Math.floor(Date.now() / 1000)
const tag = { query: () => `?tag=t${randomInt(1000)}`, grows: counted }
const words = { query: () => `?q=last${randomInt(5000)}`, grows: counted }
const recent = {
  query: () => `?updated_since=${now() - 600}`,
  grows: 'counts the records that this run wrote',
}

const contactFilters = [
  ...[words, tag, recent],
  { query: (pools: Pools) => `?email=p${randomInt(pools.size)}@x.example` },
  { query: () => `?phone=%2B1415555${String(randomInt(10_000)).padStart(4, '0')}`, grows: counted },
  {
    query: (pools: Pools) => `?company_id=${pools.some('company', counts(pools.size).companies)}`,
    grows: counted,
  },
  { query: () => '?sort=-updated_at' },
  { query: (pools: Pools) => `?external_id=crm:${randomInt(pools.size)}&fields=contact_id,email,version` },
  { query: () => '?archived=true' },
  { query: () => '?limit=100' },
].map((each) => ({ endpoint: '', ...each }))

const companyFilters = [
  { query: (pools: Pools) => `?domain=x${randomInt(counts(pools.size).companies)}.example` },
  { query: () => '?q=company', grows: counted },
].map((each) => ({ endpoint: '', ...each }))

const dealFilters = [
  ...[tag, { query: () => '?status=won', grows: counted }, { query: () => '?stage=New', grows: counted }],
  { query: (pools: Pools) => `?contact_id=${pools.some('contact')}` },
  { query: () => `?closed_since=${Date.UTC(2023, 0, 1) / 1000}`, grows: counted },
].map((each) => ({ endpoint: '', ...each }))

const closing: Case[] = [
  {
    ...{ endpoint: 'POST /deals/{deal_id}/close', id: (pools) => pools.take('new deal'), most: 60 },
    ...{ body: () => ({ status: 'won' }), gives: 'closed deal' },
  },
  {
    ...{ endpoint: 'POST /deals/{deal_id}/reopen', id: (pools) => pools.take('closed deal'), most: 60 },
    gives: 'new deal',
  },
]

const aCompany = (pools: Pools) => pools.some('company', counts(pools.size).companies)
const namingCompany: Case[] = [
  {
    ...{
      endpoint: 'PATCH /contacts/{contact_id}',
      label: 'company_id',
      id: (pools) => pools.some('contact'),
    },
    ...{ body: (pools) => ({ company_id: aCompany(pools) }), notBare: true },
  },
]
const namingPeople: Case[] = [
  {
    ...{ endpoint: 'PATCH /deals/{deal_id}', label: 'company_id, contact_ids' },
    id: (pools) => pools.some('deal', counts(pools.size).deals),
    body: (pools) => ({ company_id: aCompany(pools), contact_ids: [pools.some('contact')] }),
    notBare: true,
  },
]

export const recordCases: Case[] = [
  ...records('contact', contactFilters, [], namingCompany),
  ...records('company', companyFilters, []),
  ...records('deal', dealFilters, closing, namingPeople),
  { endpoint: 'GET /deals/stages' },
  {
    ...{ endpoint: 'PUT /deals/stages', most: 30, notBare: true },
    body: () => ({ stages: ['New', 'Qualified', 'Proposal', 'Negotiation'] }),
  },
  { endpoint: 'GET /deals/summary' },
  { endpoint: 'GET /deals/close-reasons' },
  {
    ...{
      endpoint: 'POST /deals/close-reasons',
      most: 4,
      makes: ['new reason', 'close_reason_id'],
      notBare: true,
    },
    body: () => ({ label: `Reason ${fresh()}`, outcome: 'lost' }),
  },
  { endpoint: 'GET /deals/close-reasons/{close_reason_id}', id: (pools) => pools.peek('new reason') },
  {
    ...{ endpoint: 'PATCH /deals/close-reasons/{close_reason_id}', id: (pools) => pools.peek('new reason') },
    ...{ body: () => ({ label: `Reason ${fresh()}` }), most: 100, notBare: true },
  },
  {
    endpoint: 'POST /deals/close-reasons/{close_reason_id}/archive',
    ...{ id: (pools) => pools.take('new reason'), gives: 'archived reason', most: 3, notBare: true },
  },
  {
    endpoint: 'POST /deals/close-reasons/{close_reason_id}/restore',
    ...{ id: (pools) => pools.take('archived reason'), most: 3, notBare: true },
  },
]
