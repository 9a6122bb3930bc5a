import { positionSince } from '../events/position.ts'
import { recordEvents } from '../events/record.ts'
import type { Caller } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { conflict } from '../platform/domain-error.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import { disable } from './disable.ts'
import { findEndpoint, lockEndpoint, movePositionToNow, newSecret, requireAgency } from './endpoints.ts'
import { setOwnerColumns } from './owner.ts'
import { requireReadable } from './readable.ts'
import type { EnableEndpoint, WebhookEndpoint } from './schema.ts'
import { oldSecretName, secretName } from './secret-names.ts'

/** An endpoint that was disabled for longer than this gets only the events of this period. */
const missedSecondsMax = 30 * 86_400

/**
 * Replaces the secret. The old one also signs for `graceSeconds`; if this is 0, all older secrets stop at once.
 * @throws DomainError not_found; conflict if the previous secret still signs and `graceSeconds` is not 0, or if
 * `version` is not the current one
 */
export async function rotateSecret(
  tx: OrgTx,
  secrets: Secrets,
  endpointId: string,
  { grace_seconds: graceSeconds, version }: { grace_seconds: number; version: number | undefined },
): Promise<WebhookEndpoint & { secret: string }> {
  const { old_secret_expires_at: expiresAt } = await lockEndpoint(tx, endpointId, version)
  if (graceSeconds > 0 && expiresAt !== null && expiresAt * 1000 > Date.now())
    throw conflict(
      'rotation_pending',
      `The previous secret signs until ${new Date(expiresAt * 1000).toISOString()}. Rotate again after that time, or send grace_seconds: 0 to stop all older secrets at once.`,
    )
  const [current, secret] = [await secrets.open(tx, tx.orgId, secretName(endpointId)), newSecret()]
  await secrets.put(tx, tx.orgId, secretName(endpointId), secret)
  const isKept = current !== null && graceSeconds > 0
  if (isKept) await secrets.put(tx, tx.orgId, oldSecretName(endpointId), current)
  else await secrets.forget(tx, tx.orgId, oldSecretName(endpointId))
  await tx.run(sql`
    update webhook_endpoint
    set old_secret_expires_at = case when ${isKept} then now() + make_interval(secs => ${graceSeconds}) end,
      version = version + 1, updated_at = now()
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId}`)
  await recordEvents(tx, [{ type: 'webhook_endpoint.secret_rotated', objectId: endpointId }])
  return { ...(await findEndpoint(tx, endpointId)), secret }
}

/**
 * Enables a disabled endpoint, or ends the wait of a failing one. It continues where it stopped (30 days back at
 * most), or from now on. If the member who created it has left, the caller becomes its owner.
 * @throws DomainError not_found; conflict if `version` is not the current one; forbidden if the caller may not read
 * what the endpoint shows
 */
export async function enableEndpoint(
  tx: OrgTx,
  endpointId: string,
  { from }: EnableEndpoint,
  { caller, version }: { caller: Caller; version: number | undefined },
): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(tx, endpointId, version)
  const { disabled_reason: reason, disabled_at: disabledAt } = endpoint
  const waits = endpoint.status !== 'enabled' || endpoint.next_probe_at !== null
  if (!waits && from === 'where_it_stopped') return endpoint
  const owner = reason === 'member_left' ? sql`${adopt(caller, endpoint)},` : sql``
  const earliest = Math.floor(Date.now() / 1000) - missedSecondsMax
  if (from === 'now') await skipToNow(tx, endpointId)
  else if (disabledAt !== null && disabledAt < earliest) await placeSince(tx, endpointId, earliest)
  await tx.run(sql`
    update webhook_endpoint
    set ${owner} status = 'enabled', disabled_reason = null, disabled_at = null, failures = 0, refusals = 0,
      first_failure_at = null, next_probe_at = null, version = version + 1, updated_at = now()
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId}`)
  await recordEvents(tx, [{ type: 'webhook_endpoint.enabled', objectId: endpointId }])
  return findEndpoint(tx, endpointId)
}

function adopt(caller: Caller, endpoint: WebhookEndpoint): Sql {
  requireReadable(caller, endpoint.types)
  if (endpoint.include_clients) requireAgency(caller)
  return setOwnerColumns(caller)
}

/**
 * Disables an endpoint. Repeating the call has no effect.
 * @throws DomainError not_found; conflict if `version` is not the current one
 */
export async function disableEndpoint(
  tx: OrgTx,
  endpointId: string,
  version: number | undefined,
): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(tx, endpointId, version)
  if (endpoint.status === 'disabled') return endpoint
  await disable(tx, endpointId, 'by_request')
  return findEndpoint(tx, endpointId)
}

async function skipToNow(tx: OrgTx, endpointId: string): Promise<void> {
  await movePositionToNow(tx, endpointId)
  await tx.run(sql`delete from webhook_retry where org_id = ${tx.orgId} and endpoint_id = ${endpointId}`)
}

async function placeSince(tx: OrgTx, endpointId: string, unixSeconds: number): Promise<void> {
  const position = JSON.stringify(await positionSince(tx, unixSeconds))
  await tx.run(sql`
    update webhook_position set position = ${position}::json
    where org_id = ${tx.orgId} and endpoint_id = ${endpointId}`)
}
