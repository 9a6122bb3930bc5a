import { JsonColumns } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { firstIdAt } from '../../platform/db/uuid-time.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import type { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { seriesNames } from '../../usage/schema.ts'
import { type Period, periodOf } from './period.ts'
import type { ClientUsage, ClientUsageQuery, UsagePeriodQuery, UsageTotals } from './schema.ts'

const wire = new JsonColumns('u', {
  org_id: { sql: 'c.client_org_id', kind: 'uuid' },
  name: { sql: 'o.name', kind: 'text' },
  requests: 'integer',
  rate_limited: 'integer',
  calls: 'integer',
  call_minutes: 'integer',
  events: 'integer',
  webhooks_delivered: 'integer',
  webhooks_failed: 'integer',
})

const clients = sql`(select agency_org_id as org_id, client_org_id from agency_client) c`
const nameOfClient = sql`cross join lateral app.client_of_agency(c.client_org_id) o`

/**
 * SQL of the clients `c` of an agency in the order of `direction`, each with its usage. A page then stops at its limit.
 * If PostgreSQL sorted after the join, it would compute the usage of all clients for each page.
 */
const inOrder = (from: Sql, direction: 'asc' | 'desc', usage: Sql): Sql =>
  sql`(select * from ${from} order by c.client_org_id ${rawSql(direction)}) c ${nameOfClient} ${usage}`

/**
 * The usage of each client that `q` finds, newest organization first.
 * @throws ValidationError at from, month, cursor or page
 */
export async function listClientUsage(
  org: Org,
  cursors: Cursors,
  query: ClientUsageQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { q } = query
  const isOwn = sql`c.org_id = ${org.orgId}`
  const columns = sql`select c.* from ${clients} ${nameOfClient} where ${isOwn}`
  const source = {
    ...(q !== undefined && { with: sql`with found as materialized (${columns} and ${matches(q)})` }),
    list: q === undefined ? 'client_usage' : JSON.stringify(['client_usage', q]),
    from: inOrder(
      q === undefined ? sql`${clients} where ${isOwn}` : sql`found c`,
      'desc',
      await joinUsage(org, periodOf(query)),
    ),
    id: sql`c.client_org_id`,
    wire,
    filter: new Filter(org.orgId, 'c'),
    total:
      q === undefined
        ? sql`select count(*) from agency_client where agency_org_id = ${org.orgId}`
        : sql`select count(*) from found`,
  }
  return readPage(org, cursors, source, query)
}

/** SQL of the condition that the name of a client contains `q`, or that `q` is its id. */
const matches = (q: string): Sql =>
  sql`(strpos(${folded(sql`o.name`)}, nullif(${folded(sql`${q}::text`)}, '')) > 0 or c.client_org_id::text = lower(${q}))`

/** SQL of a text without capitals and accents, and with straight apostrophes. */
const folded = (text: Sql): Sql =>
  sql`lower(regexp_replace(normalize(translate(${text}, '\u2018\u2019\u02bc\u00b4\`', ''''''''''''), NFKD), '[\u0300-\u036f]', '', 'g'))`

/** The sums of all clients. @throws ValidationError at from or month */
export async function readUsageTotals(org: Org, query: UsagePeriodQuery): Promise<UsageTotals> {
  const period = periodOf(query)
  const [totals] = await org.readRows(sql<Omit<UsageTotals, 'from' | 'to'>>`
    select clients, ${joinSql(seriesNames.map((name) => rawSql(name)))}
    from app.usage_of_all_clients(${await boundsOf(org, period)})`)
  if (!totals) throw new Error('usage_of_all_clients returned no row')
  return { from: period.first, to: period.end, ...totals }
}

/** The usage of the clients after the client `after`, oldest organization first. */
export async function readUsageAfter(
  org: Org,
  period: Period,
  after: string | null,
  limit: number,
): Promise<ClientUsage[]> {
  const numbers = joinSql(seriesNames.map((name) => sql`u.${rawSql(name)}`))
  const following = sql`${clients} where c.org_id = ${org.orgId}
    and c.client_org_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')`
  return org.readRows(sql<ClientUsage>`
    select c.client_org_id as org_id, o.name, ${numbers}
    from ${inOrder(following, 'asc', await joinUsage(org, period))}
    order by c.client_org_id limit ${limit}`)
}

/** Joins the usage `u` of each client `c`. */
const joinUsage = async (org: Org, period: Period): Promise<Sql> =>
  sql`cross join lateral app.usage_of_client(c.client_org_id, ${await boundsOf(org, period)}) u`

/**
 * The mode and the bounds of a period, as the functions of the database take them. These functions and `readUsage` in
 * usage/usage.ts count by the same rules. Change them together; test/tenancy/agency-usage.test.ts compares them.
 */
async function boundsOf(org: Org, { first, end }: Period): Promise<Sql> {
  // Read this first, so that events that are rolled up at the same time are counted once.
  const [progress] = await org.readRows(sql<{ until: number }>`
    select floor(extract(epoch from events_until))::bigint as until from app.usage_progress`)
  const until = progress?.until ?? 0
  // A call's id is made a moment before its row, so read one more hour of ids.
  return sql`${org.actor.mode}, to_timestamp(${first}), to_timestamp(${end}), to_timestamp(${until}),
    ${firstIdAt(Math.max(first, until))}::uuid, ${firstIdAt(Math.max(end, until))}::uuid,
    ${firstIdAt(Math.max(0, first - 3_600))}::uuid, ${firstIdAt(end + 3_600)}::uuid`
}
