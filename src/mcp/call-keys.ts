import { createHash, hash } from 'node:crypto'
import type { Caller } from '../platform/caller.ts'
import type { Org } from '../platform/db/org.ts'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { canonicalPieces } from '../platform/idempotency/canonical-json.ts'

/** Hosts repeat a call if they get no answer. Identical calls within this time count as one call. */
const sameSeconds = 60

/** SHA-256 of a tool and its arguments. The order of members does not change it. */
export function hashArguments(tool: string, args: unknown): Buffer {
  const sum = createHash('sha256').update(`${tool}\0`)
  for (const piece of canonicalPieces(args)) sum.update(piece)
  return sum.digest()
}

/** The id of the app, API key or member that sends a call. Identical calls of two senders are two calls. */
export const senderOf = ({ connectedAppId, apiKeyId, memberId }: Caller): string =>
  connectedAppId ?? apiKeyId ?? memberId ?? ''

export type CallKey = { idempotencyKey: string; isRepeated: boolean }

/**
 * The idempotency key of a call. Calls with the same `request_id` are one call; a repetition with other arguments is
 * refused. Without a `request_id`, identical calls within 60 seconds are one call.
 */
export async function idempotencyKeyOfCall(
  org: Org,
  caller: Caller,
  argumentsHash: Buffer,
  requestId: string | undefined,
): Promise<CallKey> {
  if (requestId !== undefined) {
    const named = JSON.stringify([senderOf(caller), requestId])
    return { idempotencyKey: `mcp:${hash('sha256', named)}`, isRepeated: false }
  }
  const name = JSON.stringify([senderOf(caller), argumentsHash.toString('hex')])
  const callHash = hash('sha256', name, 'buffer')
  const call = await org.transact((tx) =>
    tx.first(sql<{ first_us: string; is_first: boolean }>`
      insert into tool_call as c (org_id, call_hash, first_at)
      values (${tx.orgId}, ${callHash}, clock_timestamp())
      on conflict (org_id, call_hash) do update set first_at =
        case when c.first_at < clock_timestamp() - make_interval(secs => ${sameSeconds}) then excluded.first_at else c.first_at end
      returning (extract(epoch from first_at) * 1000000)::bigint::text as first_us, first_at >= now() as is_first`),
  )
  if (!call) throw new Error('a call was not stored')
  return { idempotencyKey: `mcp:${callHash.toString('hex')}:${call.first_us}`, isRepeated: !call.is_first }
}

/** Deletes up to `max` stored calls that are too old to be repeated. Returns how many. */
export function deleteOldToolCalls(scope: SystemScope, max: number): Promise<number> {
  return scope.transact((tx) =>
    tx.run(sql`
      delete from tool_call where (org_id, call_hash) in (
        select org_id, call_hash from tool_call where first_at < now() - interval '1 hour' limit ${max})`),
  )
}
