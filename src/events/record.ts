import { BinaryArray, timestamptz, uuid } from '../platform/db/binary-array.ts'
import { newId } from '../platform/db/new-id.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { currentTraceparent } from '../platform/tracing/trace.ts'
import type { EventType } from './catalog.ts'
import { announceEvents } from './wake.ts'

export type Change = {
  type: EventType
  /** The changed object. */
  objectId: string
  /** The names of changed fields, without values. */
  changed?: readonly string[]
  /** The fields that docs/reference/events.md lists for the type. They must not be personal data or secrets. */
  data?: Record<string, unknown>
}

// The time in an event's id. So the list, which is in id order, is also in the order of `created_at`.
const createdAt = rawSql('to_timestamp(e.created_ms / 1000.0)')

/** Writes one event for each change, in the transaction of the change. */
export function recordEvents(tx: OrgTx, changes: readonly Change[]): Promise<number> {
  const { orgId, apiKeyId, memberId, connectedAppId, isOperator, mode } = tx.actor
  const ids = changes.map(() => newId())
  const types = changes.map((change) => change.type)
  const objectIds = changes.map((change) => change.objectId)
  const changed = changes.map((change) => change.changed?.join(' ') ?? null)
  const data = changes.map((change) => (change.data ? JSON.stringify(change.data) : null))
  announceEvents(tx, changes.length)
  return tx.run(sql`
    insert into event (org_id, event_id, type, object_id, api_key_id, member_id, connected_app_id, by_operator, mode,
      changed, data, traceparent, created_at)
    select ${orgId}, e.event_id, e.type, e.object_id, ${apiKeyId}, ${memberId}, ${connectedAppId ?? null}, ${isOperator ?? null}, ${mode},
      string_to_array(e.changed, ' '), e.data, ${currentTraceparent()}, ${createdAt}
    from unnest(${ids}::uuid[], ${types}::text[], ${objectIds}::uuid[], ${changed}::text[], ${data}::jsonb[],
      ${ids.map(timeOf)}::bigint[]) as e (event_id, type, object_id, changed, data, created_ms)`)
}

/** Writes the same event for many objects, such as the records of a batch or an import. */
export function recordEventForEach(
  tx: OrgTx,
  type: EventType,
  objectIds: readonly string[],
): Promise<number> {
  const { orgId, apiKeyId, memberId, connectedAppId, isOperator, mode } = tx.actor
  const ids = new BinaryArray(uuid)
  const objects = new BinaryArray(uuid)
  const times = new BinaryArray(timestamptz)
  for (const objectId of objectIds) {
    const id = newId()
    ids.push(id)
    objects.push(objectId)
    times.push(timeOf(id))
  }
  announceEvents(tx, objectIds.length)
  return tx.run(sql`
    insert into event (org_id, event_id, type, object_id, api_key_id, member_id, connected_app_id, by_operator, mode,
      traceparent, created_at)
    select ${orgId}, e.event_id, ${type}, e.object_id, ${apiKeyId}, ${memberId}, ${connectedAppId ?? null}, ${isOperator ?? null}, ${mode},
      ${currentTraceparent()}, e.created_at
    from unnest(${ids.toParameter()}::uuid[], ${objects.toParameter()}::uuid[], ${times.toParameter()}::timestamptz[])
      as e (event_id, object_id, created_at)`)
}
