import type { Totals } from '../../platform/db/fold-totals.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { firstKeptDay } from './days.ts'

/** The key of events that came with an API key: they have no write key. */
export const noWriteKey = '00000000-0000-0000-0000-000000000000'

/** One more than 400: a period of 400 days begins in the middle of a day, and so touches 401 days. */
const countedDays = 401
const rowsPerDelete = 5_000

/** The counts of events by organization, mode, hour, key and outcome. */
export const eventTotals: Totals = {
  deltas: 'web_event_delta',
  totals: 'web_event_count',
  groups: ['org_id', 'mode', 'hour', 'key_id', 'outcome'],
  sums: { n: 'n' },
}

/** `accepted`, `duplicate`, a reason why events were dropped, or a code with which requests were refused. */
export type EventCount = { outcome: string; keyId: string; at: number; n: number }

export type CountFilter = {
  mode: 'live' | 'test'
  /** Unix seconds; `last` is not included. */
  first: number
  last: number
  /** The length of a step. */
  seconds: number
  /** Only events of this write key. */
  keyId?: string | undefined
}

/** The numbers of each outcome and key in each step. They are exact, because one statement reads totals and differences. */
export function readCounts(
  tx: OrgTx,
  { mode, first, last, seconds, keyId }: CountFilter,
): Promise<EventCount[]> {
  const wanted = sql`
    where org_id = ${tx.orgId} and mode = ${mode} and hour >= to_timestamp(${first}) and hour < to_timestamp(${last})
      ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}`
  return tx.rows(sql<EventCount>`
    select outcome, key_id as "keyId", floor(extract(epoch from hour) / ${seconds}::int)::bigint * ${seconds}::int as at,
      sum(n)::bigint as n
    from (
      select outcome, key_id, hour, n from web_event_count ${wanted}
      union all
      select outcome, key_id, hour, n from web_event_delta ${wanted}
    ) as counted
    group by 1, 2, 3`)
}

/** The number to add to the counts of an organization, mode, key and outcome. */
export type CountDelta = {
  orgId: string
  mode: 'live' | 'test'
  /** Unix milliseconds of the beginning of an hour. */
  hourMs: number
  keyId: string
  outcome: string
  n: number
}

/** Adds counts of existing organizations. */
export async function addCounts(tx: Tx, deltas: readonly CountDelta[]): Promise<void> {
  const of = <Field extends keyof CountDelta>(field: Field) => deltas.map((delta) => delta[field])
  await tx.run(sql`
    insert into web_event_delta (org_id, mode, hour, key_id, outcome, n)
    select d.org_id, d.mode, to_timestamp(d.hour_ms / 1000.0), d.key_id, d.outcome, d.n
    from unnest(${of('orgId')}::uuid[], ${of('mode')}::text[], ${of('hourMs')}::bigint[], ${of('keyId')}::uuid[],
      ${of('outcome')}::text[], ${of('n')}::bigint[]) as d (org_id, mode, hour_ms, key_id, outcome, n)
    where exists (select from org o where o.org_id = d.org_id)`)
}

/** Deletes counts that are older than 400 days, and the samples and reports of days whose events are no longer kept. */
export async function deleteOldCounts(scope: SystemScope, keptDays: number): Promise<void> {
  const before = (days: number) => sql`now() - make_interval(days => ${days})`
  await deleteAll(scope, sql`web_event_count`, sql`hour < ${before(countedDays)}`)
  await deleteAll(scope, sql`web_event_sample`, sql`at < ${before(keptDays)}`)
  await deleteOldReports(scope, firstKeptDay(keptDays, Date.now()))
}

/**
 * Deletes the reports of the days before `firstKept`.
 * @param orgId only reports of this organization; null: of all
 */
export async function deleteOldReports(
  scope: SystemScope,
  firstKept: string,
  orgId: string | null = null,
): Promise<void> {
  const isOld = sql`day < ${firstKept}::date ${orgId === null ? sql`` : sql`and org_id = ${orgId}`}`
  await deleteAll(scope, sql`web_report`, isOld)
  await deleteAll(scope, sql`web_visit`, isOld)
}

async function deleteAll(scope: SystemScope, table: Sql, isOld: Sql): Promise<void> {
  let deleted: number
  do {
    deleted = await scope.transact((tx) =>
      tx.run(sql`
        delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOld} limit ${rowsPerDelete}))`),
    )
  } while (deleted === rowsPerDelete)
}
