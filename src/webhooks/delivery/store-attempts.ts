import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Trial } from './send.ts'

export type DeliveryAttempt = {
  readonly eventId: string
  readonly sourceOrgId: string
  readonly type: string
  readonly objectId: string | null
  readonly number: number
  readonly outcome: 'delivered' | 'failed' | 'exhausted'
  readonly trial: Trial
}

/** Stores attempts, and adds them to the sums of their hours. */
export async function storeAttempts(
  tx: OrgTx,
  endpointId: string,
  attempts: readonly DeliveryAttempt[],
): Promise<void> {
  if (attempts.length === 0) return
  const ids = attempts.map(() => newId())
  const of = <Value>(read: (attempt: DeliveryAttempt) => Value) => attempts.map(read)
  await Promise.all([
    tx.run(sql`
      insert into webhook_attempt (org_id, attempt_id, endpoint_id, event_id, source_org_id, type, object_id, number,
        outcome, status, duration_ms, error, response_excerpt, created_at)
      select ${tx.orgId}, a.attempt_id, ${endpointId}, a.event_id, a.source_org_id, a.type, a.object_id, a.number,
        a.outcome, a.status, a.duration_ms, a.error, a.excerpt, to_timestamp(a.started_ms / 1000.0)
      from unnest(${ids}::uuid[], ${of(({ eventId }) => eventId)}::uuid[], ${of((a) => a.sourceOrgId)}::uuid[],
        ${of(({ type }) => type)}::text[], ${of(({ objectId }) => objectId)}::uuid[],
        ${of((a) => a.number)}::integer[], ${of(({ outcome }) => outcome)}::text[],
        ${of(({ trial }) => trial.status)}::integer[], ${of(({ trial }) => trial.durationMs)}::integer[],
        ${of(({ trial }) => trial.error)}::text[], ${of(({ trial }) => trial.excerpt)}::text[],
        ${of(({ trial }) => trial.startedAt)}::bigint[])
        as a (attempt_id, event_id, source_org_id, type, object_id, number, outcome, status, duration_ms, error,
          excerpt, started_ms)`),
    tx.run(sql`
      insert into webhook_hour as h (org_id, endpoint_id, hour, delivered, failed, duration_ms)
      select ${tx.orgId}, ${endpointId}, date_trunc('hour', to_timestamp(a.started_ms / 1000.0), 'UTC'),
        count(*) filter (where a.delivered), count(*) filter (where not a.delivered), sum(a.duration_ms)
      from unnest(${of(({ trial }) => trial.startedAt)}::bigint[],
        ${of(({ outcome }) => outcome === 'delivered')}::boolean[],
        ${of(({ trial }) => trial.durationMs)}::bigint[]) as a (started_ms, delivered, duration_ms)
      group by 3 order by 3
      on conflict (org_id, endpoint_id, hour) do update
      set delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed,
        duration_ms = h.duration_ms + excluded.duration_ms`),
  ])
}
