// The rules of docs/reference/duplicates.md, written without code from src.

export type Entity = 'contact' | 'company' | 'deal'

export type Fields = Record<string, unknown>

type Kind = {
  idField: string
  path: string
  /** Single fields, with the values of a new record. */
  single: Fields
  /** Fields that are merged together, listed under the first of them. `consent.email` is a member of `consent`. */
  together: Record<string, string[]>
  /** Fields that explain another field: its first field. They are cleared when the first field changes. */
  explained: string[]
  /** The lists, each with the field of its primary element, or null. */
  lists: Record<string, string | null>
  /** The policy of each field; `primary` by default. */
  rules: Record<string, string>
}

/** The members of the organization, by address. Somebody else can own only deals. */
export const members: Record<string, string> = { 'o@x.io': 'member-o', 'q@x.io': 'member-q' }

const common = { owner_email: null, source: 'api', custom: {} }
const place = { city: null, region: null, country: null, linkedin_url: null }
const commonLists = { tags: null, external_ids: null }

export const kinds: Record<Entity, Kind> = {
  contact: {
    idField: 'contact_id',
    path: '/contacts',
    single: {
      ...{ first_name: null, last_name: null, company_name: null, job_title: null, lifecycle_stage: null },
      ...{ company_id: null, phone_raw: null, email_raw: null },
      claimed_by: null,
      ...place,
      ...common,
    },
    together: {
      'consent.email': ['consent.email', 'consent_details.email'],
      'consent.phone': ['consent.phone', 'consent_details.phone'],
    },
    explained: ['consent.email', 'consent.phone'],
    lists: { emails: 'email', phones: 'phone', ...commonLists },
    rules: {
      lifecycle_stage: 'furthest_stage',
      'consent.email': 'most_restrictive',
      'consent.phone': 'most_restrictive',
      custom: 'members',
    },
  },
  company: {
    idField: 'company_id',
    path: '/companies',
    single: {
      ...{ name: null, phone: null, phone_raw: null, website: null, industry: null, employee_count: null },
      ...place,
      ...common,
    },
    together: {},
    explained: [],
    lists: { domains: 'domain', ...commonLists },
    rules: { custom: 'members' },
  },
  deal: {
    idField: 'deal_id',
    path: '/deals',
    single: {
      name: null,
      stage: 'New',
      company_id: null,
      expected_close_on: null,
      probability: null,
      ...common,
    },
    together: {
      amount_cents: ['amount_cents', 'currency'],
      status: ['status', 'closed_at', 'close_reason_id'],
    },
    explained: [],
    lists: { contact_ids: null, ...commonLists },
    rules: { custom: 'members' },
  },
}

/** A merge takes all values of a unit from one record. Most units are one field. */
export function unitsOf(entity: Entity): [string, string[]][] {
  const { single, together } = kinds[entity]
  return [
    ...Object.keys(single).map((field): [string, string[]] => [field, [field]]),
    ...primariesOf(entity).map(([, primary]): [string, string[]] => [primary, [primary]]),
    ...Object.entries(together),
  ]
}

export const primariesOf = (entity: Entity): [string, string][] =>
  Object.entries(kinds[entity].lists).filter((each): each is [string, string] => each[1] !== null)

export function initialFields(entity: Entity): Fields {
  const fields = Object.fromEntries(unitsOf(entity).flatMap(([, all]) => all.map((field) => [field, null])))
  const consent = { 'consent.email': 'unknown', 'consent.phone': 'unknown' }
  const usual = { contact: consent, company: {}, deal: { status: 'open' } }[entity]
  return { ...fields, ...usual, ...kinds[entity].single }
}

const ladder = ['other', 'subscriber', 'lead', 'qualified', 'opportunity', 'customer']
const strictness = ['granted', 'unknown', 'denied']
const length = (text: unknown) => [...(text as string)].length

const takes: Record<string, (theirs: unknown, mine: unknown) => boolean> = {
  primary: () => false,
  furthest_stage: (theirs, mine) => ladder.indexOf(theirs as string) > ladder.indexOf(mine as string),
  most_restrictive: (theirs, mine) =>
    strictness.indexOf(theirs as string) > strictness.indexOf(mine as string),
  min: (theirs, mine) => (theirs as number) < (mine as number),
  max: (theirs, mine) => (theirs as number) > (mine as number),
  longest: (theirs, mine) => length(theirs) > length(mine),
}

const isBlank = (value: unknown) =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** The values after a merge of `mine` (survivor) and `theirs` (loser). */
export function decide(rule: string, mine: unknown[], theirs: unknown[]): unknown[] {
  if (rule === 'survivor') return mine
  if (rule === 'loser') return theirs
  if (rule === 'members') return [{ ...(theirs[0] as object), ...(mine[0] as object) }]
  if (isBlank(mine[0]) || isBlank(theirs[0])) return isBlank(mine[0]) ? theirs : mine
  return takes[rule]!(theirs[0], mine[0]) ? theirs : mine
}
