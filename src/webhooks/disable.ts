import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import type { WebhookEndpoint } from './schema.ts'

/** Disables endpoint `e` with an event, unless it is disabled already, or `condition` is not true. Its events wait. */
export async function disable(
  tx: OrgTx,
  endpointId: string,
  reason: NonNullable<WebhookEndpoint['disabled_reason']>,
  condition: Sql = sql`true`,
): Promise<void> {
  const disabled = await tx.run(sql`
    update webhook_endpoint e
    set status = 'disabled', disabled_reason = ${reason}, disabled_at = now(), next_probe_at = null,
      version = version + 1, updated_at = now()
    where e.org_id = ${tx.orgId} and e.endpoint_id = ${endpointId} and e.status <> 'disabled' and ${condition}`)
  if (disabled === 0) return
  await recordEvents(tx, [{ type: 'webhook_endpoint.disabled', objectId: endpointId, data: { reason } }])
}
