import { JsonColumns } from '../platform/db/json-columns.ts'
import { sql } from '../platform/db/sql.ts'
import { id, literal, timestamp } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import { missing, notOneOf } from '../platform/http/refusal.ts'
import { type Detail, detailAt, ValidationError } from '../platform/http/validation.ts'
import {
  applyCommon,
  commonLists,
  commonPolicies,
  externalIdKeys,
  requireRoom,
  tagFilter,
  tagKeys,
} from '../records/apply.ts'
import { columnIs, isLinkedTo, referenceIs } from '../records/column-filters.ts'
import { commonColumns, commonMembers } from '../records/fields.ts'
import { canonicalIdSql } from '../records/pending-moves.ts'
import type { Fields, OrgDefaults, RecordType, StoredColumns } from '../records/record-type.ts'
import { toCompany } from '../records/references.ts'
import { Deal, DealChanges, DealFields } from './schema.ts'
import { lockStagesShared } from './stages.ts'

const contact = { rawColumn: 'contact_raw_id', column: 'contact_id', to: 'contact' } as const

/** The canonical contacts of a deal, each once, in the order in which they were sent. */
const contactIds = `array(
  select s.contact_id from (
    select ${canonicalIdSql('l', contact)} as contact_id, l.position
    from deal_contact l where l.org_id = r.org_id and l.deal_id = r.deal_id
  ) s group by s.contact_id order by min(s.position), s.contact_id)`

function apply(
  before: StoredColumns | null,
  fields: Fields,
  orgDefaults: OrgDefaults,
  add: boolean,
): StoredColumns {
  const given = fields as Partial<DealFields>
  const sentOrStored = <Value>(value: Value | undefined, column: string) =>
    value === undefined ? (before?.[column] ?? null) : value
  return {
    name: sentOrStored(given.name, 'name'),
    amount_cents: sentOrStored(given.amount_cents, 'amount_cents'),
    currency: sentOrStored(given.currency, 'currency'),
    stage: given.stage ?? before?.stage ?? orgDefaults.stages?.[0],
    deal_status: before?.deal_status ?? 'open',
    closed_at: before?.closed_at ?? null,
    close_reason_id: before?.close_reason_id ?? null,
    company_raw_id: sentOrStored(given.company_id, 'company_raw_id'),
    company_id: before?.company_id ?? null,
    owner_email: sentOrStored(given.owner_email, 'owner_email'),
    ...contactsAfter(before, given.contact_ids, add),
    ...applyCommon(before, fields, add),
  }
}

function check(before: StoredColumns | null, after: StoredColumns, orgDefaults: OrgDefaults): void {
  requireFit(before, after, orgDefaults)
  requireRoom(before, after, { contact_ids: 100, tags: 100, external_ids: 50 })
}

/** The contacts as sent. Their canonical contacts are looked up later, if any were sent. */
function contactsAfter(
  before: StoredColumns | null,
  given: string[] | null | undefined,
  add: boolean,
): StoredColumns {
  const stored = (before?.contact_raw_ids ?? []) as string[]
  if (given === undefined) return { contact_raw_ids: stored, contact_ids: before?.contact_ids ?? [] }
  const rawIds = [...new Set([...(add ? stored : []), ...(given ?? [])])]
  return { contact_raw_ids: rawIds, contact_ids: rawIds }
}

/** @throws ValidationError for a stage that the org does not have, or an amount without a currency */
function requireFit(before: StoredColumns | null, after: StoredColumns, { stages = [] }: OrgDefaults): void {
  const problems: Detail[] = []
  if (after.amount_cents !== null && after.currency === null)
    problems.push(detailAt(['body', 'currency'], missing))
  // A closed deal may keep a stage that no longer exists.
  if (after.stage !== before?.stage && !stages.includes(after.stage as string))
    problems.push(detailAt(['body', 'stage'], notOneOf(stages)))
  if (problems.length > 0) throw new ValidationError(problems)
}

/** Puts a deal that a merge or an undo derives into the first stage, if its own stage no longer exists. */
export function restaged(state: StoredColumns, stages: readonly string[]): StoredColumns {
  const isGone = state.deal_status === 'open' && !stages.includes(state.stage as string)
  return isGone ? { ...state, stage: stages[0] } : state
}

/** Deals: possible sales, with their contacts, amount, stage and result. */
export const deals: RecordType = {
  entity: 'deal',
  path: '/deals',
  tag: 'Deals',
  idField: 'deal_id',
  columns: {
    name: 'text',
    amount_cents: 'bigint',
    currency: 'text',
    stage: 'text',
    deal_status: 'text',
    closed_at: 'timestamptz',
    close_reason_id: 'uuid',
    company_raw_id: 'uuid',
    company_id: 'uuid',
    owner_email: 'text',
    ...commonColumns,
  },
  fieldNames: { deal_status: 'status' },
  wire: new JsonColumns('r', {
    deal_id: 'uuid',
    name: 'text',
    amount_cents: 'integer',
    currency: 'text',
    stage: 'text',
    status: { sql: 'r.deal_status', kind: 'text' },
    company_id: { sql: canonicalIdSql('r', toCompany), kind: 'uuid' },
    contact_ids: { sql: contactIds, kind: 'text[]' },
    close_reason_id: 'uuid',
    closed_at: 'seconds',
    owner_email: 'text',
    ...commonMembers,
  }),
  search: 'app.search_deals',
  references: [toCompany],
  links: [
    {
      field: 'contact_ids',
      rawColumn: 'contact_raw_ids',
      column: 'contact_ids',
      table: 'deal_contact',
      to: 'contact',
    },
  ],
  referrers: [],
  fields: DealFields,
  changes: DealChanges,
  response: Deal,
  keyFilters: { tag: tagFilter },
  columnFilters: {
    status: { schema: literal('open', 'won', 'lost').optional(), where: columnIs('deal_status', 'text') },
    stage: { schema: filterText(100), where: columnIs('stage', 'text') },
    company_id: { schema: id().optional(), ...referenceIs(toCompany) },
    contact_id: { schema: id().optional(), ...isLinkedTo('deal_contact', 'deal', 'contact') },
    close_reason_id: { schema: id().optional(), where: columnIs('close_reason_id', 'uuid') },
    closed_since: {
      schema: timestamp().optional().describe('Unix seconds. Only deals closed at or after this time.'),
      where: (value) => sql`r.closed_at >= to_timestamp(${value})`,
    },
  },
  matchOn: { external_id: externalIdKeys },
  example: {
    name: 'Website for Acme',
    amount_cents: 1_250_000,
    currency: 'USD',
    external_ids: { crm: 'D-17' },
  },
  changeExample: { stage: 'Proposal' },
  apply,
  check,
  merging: {
    // A merge takes these columns together from one record: a currency belongs to its amount, a reason to its closing.
    units: {
      amount_cents: ['amount_cents', 'currency'],
      deal_status: ['deal_status', 'closed_at', 'close_reason_id'],
    },
    lists: { contact_raw_ids: { keyOf: String }, ...commonLists },
    policies: commonPolicies,
    // A write to another record of the cluster may have cleared the currency.
    repair: (state) => (state.currency === null ? { ...state, amount_cents: null } : state),
    adjust: (state, { stages = [] }) => restaged(state, stages),
  },
  keys: (state) => [...externalIdKeys(state), ...tagKeys(state)],
  searchable: (state) => [state.name as string | null],
  needsCountry: () => false,
  orgDefaults: async (tx) => ({ stages: await lockStagesShared(tx) }),
}
