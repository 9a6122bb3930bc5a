import { JsonColumns } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { takeTurn } from '../../platform/db/turns.ts'
import { firstIdAt } from '../../platform/db/uuid-time.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import type { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { countRetries } from '../delivery/retries.ts'
import type { AttemptQuery, StatsQuery, WebhookStats } from '../schema.ts'

const wire = new JsonColumns('a', {
  attempt_id: 'uuid',
  event_id: 'uuid',
  org_id: { sql: 'a.source_org_id', kind: 'uuid' },
  type: 'text',
  number: 'integer',
  outcome: 'text',
  status: 'integer',
  duration_ms: 'integer',
  error: 'text',
  response_excerpt: 'text',
  created_at: 'seconds',
})

/** Returns the attempts of an endpoint, newest first. */
export async function listAttempts(
  org: Org,
  cursors: Cursors,
  endpointId: string,
  query: AttemptQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { event_id: eventId, outcome, created_since: since } = query
  const filter = new Filter(org.orgId, 'a')
    .and(sql`a.endpoint_id = ${endpointId}::uuid`)
    .where(eventId, (p) => sql`a.event_id = ${p}::uuid`)
    .where(outcome, (p) => sql`a.outcome = ${p}`)
    .where(since === undefined ? undefined : firstIdAt(since), (p) => sql`a.attempt_id >= ${p}::uuid`)
  const list = JSON.stringify(['webhook attempts', endpointId, eventId, outcome, since])
  const from = sql`webhook_attempt a`
  // The total counts the attempts of 7 days.
  return takeTurn(org.payerId, () =>
    readPage(org, cursors, { list, from, id: sql`a.attempt_id`, wire, filter }, query),
  )
}

/** Returns the sums of an endpoint's attempts by hour, oldest first, and the number of events that wait for a retry. */
export async function readStats(
  tx: OrgTx,
  endpointId: string,
  { from, to }: StatsQuery,
): Promise<WebhookStats> {
  const now = Math.floor(Date.now() / 1000)
  const [first, last] = [from ?? now - 86_400, to ?? now]
  const [hours, waiting] = await Promise.all([
    tx.rows(sql<WebhookStats['hours'][number]>`
      select floor(extract(epoch from hour))::bigint as hour, delivered, failed,
        round(duration_ms::numeric / greatest(1, delivered + failed))::int as average_ms
      from webhook_hour
      where org_id = ${tx.orgId} and endpoint_id = ${endpointId}
        and hour > to_timestamp(${first}) - interval '1 hour' and hour <= to_timestamp(${last})
      order by webhook_hour.hour`),
    countRetries(tx, endpointId),
  ])
  return { hours, waiting_retries: waiting }
}
