import { v7 } from 'uuid'
import type { Caller } from '../platform/caller.ts'
import type { Tx } from '../platform/db/tx.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import type { EventType } from './catalog.ts'

/** Who makes a change; `apiKeyId` is null for operator commands. */
export type Actor = Pick<Caller, 'orgId' | 'mode'> & { apiKeyId: string | null }

export type Change = {
  type: EventType
  /** The changed object. */
  objectId: string
  /** Names of the changed fields; never their values. */
  changed?: readonly string[]
  /** Ids and numbers that belong to the change; never personal data, never a secret. */
  data?: Record<string, unknown>
}

// An event's time is the time in its id, so that the list's order, `since` and created_at agree.
const createdAt = 'to_timestamp(e.created_ms / 1000.0)'

/** Writes one event for each change, in the transaction of the change. */
export function recordEvents(tx: Tx, actor: Actor, changes: readonly Change[]): Promise<number> {
  const ids = changes.map(() => v7())
  return tx.run({
    text: `
      insert into event (org_id, event_id, type, object_id, api_key_id, mode, changed, data, created_at)
      select $1, e.event_id, e.type, e.object_id, $2, $3, string_to_array(e.changed, ' '), e.data, ${createdAt}
      from unnest($4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::jsonb[], $9::bigint[])
        as e (event_id, type, object_id, changed, data, created_ms)`,
    values: [
      actor.orgId,
      actor.apiKeyId,
      actor.mode,
      ids,
      changes.map((change) => change.type),
      changes.map((change) => change.objectId),
      changes.map((change) => change.changed?.join(' ') ?? null),
      changes.map((change) => (change.data ? JSON.stringify(change.data) : null)),
      ids.map(timeOf),
    ],
  })
}

/** Writes the same event for many objects, as batches and imports do. */
export function recordEventForEach(
  tx: Tx,
  actor: Actor,
  type: EventType,
  objectIds: readonly string[],
): Promise<number> {
  const ids = objectIds.map(() => v7())
  return tx.run({
    text: `
      insert into event (org_id, event_id, type, object_id, api_key_id, mode, created_at)
      select $1, e.event_id, $4, e.object_id, $2, $3, ${createdAt}
      from unnest($5::uuid[], $6::uuid[], $7::bigint[]) as e (event_id, object_id, created_ms)`,
    values: [actor.orgId, actor.apiKeyId, actor.mode, type, ids, objectIds, ids.map(timeOf)],
  })
}
