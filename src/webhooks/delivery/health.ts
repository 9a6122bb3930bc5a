import { recordEvents } from '../../events/record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import type { Health } from './evaluate-batch.ts'

/** How often the time of the last delivery is stored while deliveries succeed. */
const successEveryMs = 10_000

type Stored = Columns<
  'webhook_endpoint',
  | 'status'
  | 'disabled_reason'
  | 'failures'
  | 'refusals'
  | 'first_failure_at'
  | 'last_failure_at'
  | 'next_probe_at'
>

/** The health in a stored row. Times become Unix milliseconds. */
export const healthOf = (row: Stored): Health => ({
  status: row.status as Health['status'],
  disabledReason: row.disabled_reason as Health['disabledReason'],
  failures: row.failures,
  refusals: row.refusals,
  firstFailureAt: row.first_failure_at?.getTime() ?? null,
  lastFailureAt: row.last_failure_at?.getTime() ?? null,
  nextProbeAt: row.next_probe_at?.getTime() ?? null,
})

export type HealthChange = {
  /** The endpoint's version at the start of the turn. */
  version: number
  before: Health
  after: Health
  /** When the batch's last delivery succeeded, in Unix milliseconds; null: none did. */
  succeededAt: number | null
}

/**
 * Stores the health of an endpoint after a batch, with an event if it became `failing` or `disabled`. Stores nothing
 * if a request changed the endpoint during the turn: an endpoint that somebody enabled must continue. An endpoint
 * that another turn disabled stays disabled.
 */
export async function storeHealth(
  tx: OrgTx,
  endpointId: string,
  { version, before, after, succeededAt }: HealthChange,
): Promise<void> {
  const date = (ms: number | null) => (ms === null ? null : new Date(ms))
  const isChanged = JSON.stringify(before) !== JSON.stringify(after)
  if (!isChanged && succeededAt === null) return
  const isDue = isChanged
    ? sql`true`
    : sql`(last_success_at is null or last_success_at < ${new Date((succeededAt ?? 0) - successEveryMs)})`
  const changed = await tx.run(sql`
    update webhook_endpoint set
      status = ${after.status}, disabled_reason = ${after.disabledReason},
      disabled_at = case when ${after.status === 'disabled'} then now() end,
      failures = ${after.failures}, refusals = ${after.refusals},
      first_failure_at = ${date(after.firstFailureAt)}, last_failure_at = ${date(after.lastFailureAt)},
      next_probe_at = ${date(after.nextProbeAt)},
      last_success_at = coalesce(${date(succeededAt)}, last_success_at)
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId} and version = ${version} and status <> 'disabled'
      and ${isDue}`)
  if (changed === 0 || before.status === after.status || after.status === 'enabled') return
  const type = `webhook_endpoint.${after.status}` as const
  const data = after.disabledReason === null ? {} : { data: { reason: after.disabledReason } }
  await recordEvents(tx, [{ type, objectId: endpointId, ...data }])
}
