import { exactTotal } from '../platform/db/record-totals.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { exampleId } from '../platform/http/example-ids.ts'
import { literal, timestamp } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import { missing, notOneOf } from '../platform/http/refusal.ts'
import { type Detail, detailAt, ValidationError } from '../platform/http/validation.ts'
import { defineType } from '../records/define-type.ts'
import { idFilter, importFilter, manyIfEqual, textFilter } from '../records/filters/columns.ts'
import { linkFilter } from '../records/filters/references.ts'
import type { OrgDefaults, StoredColumns } from '../records/record-type.ts'
import { nameSort } from '../records/sort.ts'
import { countedDeals } from './counted-deals.ts'
import { contactsLink, dealFields } from './fields.ts'
import { currency } from './money.ts'
import { dealStatuses } from './schema.ts'
import { lockStagesShared } from './stages.ts'

/** @throws ValidationError for a stage that the org does not have, or an amount without a currency */
function requireConsistent(
  before: StoredColumns | null,
  after: StoredColumns,
  { stages = [] }: OrgDefaults,
): void {
  const problems: Detail[] = []
  if (after.amount_cents !== null && after.currency === null)
    problems.push(detailAt(['body', 'currency'], missing))
  // A closed deal may keep a stage that does not exist any more.
  if (after.stage !== before?.stage && !stages.includes(after.stage as string))
    problems.push(detailAt(['body', 'stage'], notOneOf(stages)))
  if (problems.length > 0) throw new ValidationError(problems)
}

/**
 * Moves an open deal to the first stage if its own does not exist any more. A merge or an undo can bring such a stage
 * back.
 */
export function withExistingStage(state: StoredColumns, stages: readonly string[]): StoredColumns {
  const isGone = state.deal_status === 'open' && !stages.includes(state.stage as string)
  return isGone ? { ...state, stage: stages[0] } : state
}

export const deals = defineType({
  entity: 'deal',
  path: '/deals',
  tag: 'Deals',
  idField: 'deal_id',
  title: 'Deal',
  requires: true,
  acceptsOutsideOwners: true,
  fields: dealFields,
  misplaced: { status: 'POST /deals/{deal_id}/close or POST /deals/{deal_id}/reopen' },
  search: 'app.search_deals',
  searchable: ({ name }) => [name as string | null],
  referrers: [],
  filters: {
    status: {
      ...textFilter('r.deal_status'),
      schema: literal(...dealStatuses).meta({ title: 'DealStatus' }),
      matches: manyIfEqual,
    },
    currency: { ...textFilter('r.currency'), schema: currency },
    stage: { ...textFilter('r.stage'), schema: filterText(100), matches: manyIfEqual },
    contact_id: linkFilter('deal', contactsLink),
    close_reason_id: { ...idFilter('r.close_reason_id'), matches: manyIfEqual },
    closed_since: {
      schema: timestamp(),
      description: 'Unix seconds. Only deals closed at or after this time.',
      operators: ['eq'],
      matches: () => 'many',
      where: (_op, value) => sql`r.closed_at >= to_timestamp(${value})`,
    },
    import_id: importFilter,
  },
  storedLists: [
    {
      fields: ['status'],
      sort: 'created_at',
      total: ([status], orgId) => countedDeals(orgId, sql`deal_status = ${status}`),
    },
    {
      fields: ['stage'],
      sort: 'created_at',
      total: ([stage], orgId) => exactTotal(orgId, `deal in ${stage}`),
    },
    {
      fields: ['close_reason_id'],
      sort: 'created_at',
      total: ([id], orgId) => countedDeals(orgId, sql`close_reason_id = ${id}::uuid`),
    },
    {
      // A column of a board. The numbers of closed deals have no stage.
      fields: ['status', 'stage'],
      sort: 'updated_at',
      total: ([status, stage], orgId) =>
        status === 'open' ? countedDeals(orgId, sql`deal_status = 'open' and stage = ${stage}`) : undefined,
    },
  ],
  sorts: {
    name: nameSort('r.name'),
    amount_cents: { key: { sql: rawSql('r.amount_cents'), type: 'bigint', isNullable: true } },
    closed_at: { key: { sql: rawSql('r.closed_at'), type: 'timestamptz', isNullable: true } },
  },
  example: {
    name: 'Website for Acme',
    amount_cents: 1_250_000,
    currency: 'USD',
    external_ids: { crm: 'D-17' },
  },
  changeExample: { stage: 'Proposal' },
  shownExample: {
    ...{ name: 'Website for Acme', amount_cents: 1_250_000, currency: 'USD' },
    ...{ stage: 'Proposal', status: 'open' },
    ...{ company_id: exampleId('company_id'), contact_ids: [exampleId('contact_id')] },
    ...{
      close_reason_id: null,
      closed_at: null,
      owner_id: exampleId('owner_id'),
      owner_email: 'sam@example.com',
    },
    ...{ expected_close_on: '2026-03-31', probability: 60 },
  },
  check: requireConsistent,
  merging: {
    // A merge takes all columns of a unit from one record. An amount could get another record's currency otherwise.
    units: {
      amount_cents: ['amount_cents', 'currency'],
      deal_status: ['deal_status', 'closed_at', 'close_reason_id'],
    },
    // A write to another record of the cluster can clear the currency. The amount is then invalid.
    repair: (state) => (state.currency === null ? { ...state, amount_cents: null } : state),
    adjust: (state, { stages = [] }) => withExistingStage(state, stages),
  },
  orgDefaults: async (tx) => ({ stages: await lockStagesShared(tx) }),
})
