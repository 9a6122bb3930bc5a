import type { Caller } from '../platform/caller.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { parseUuid } from '../platform/http/parse-uuid.ts'

/** A call that waits for a person is forgotten after this time. */
export const effectSeconds = 600

export type Confirmation = {
  /** What the person is asked. */
  question: string
  /** What would happen: the numbers and names of a dry run. */
  facts: Record<string, unknown>
  /** True if the call acts outside of Crosswalk, such as a phone call. A model alone never confirms it. */
  isOutside: boolean
}

export type Effect = {
  effectId: string
  isOutside: boolean
  /** Whether somebody approved it in the console; null: nobody decided. */
  isApproved: boolean | null
}

/** Stores that a call waits for the confirmation of a person. */
export async function createEffect(
  org: Org,
  caller: Caller,
  call: { tool: string; permission: string; argumentsHash: Buffer; confirmation: Confirmation },
): Promise<Effect> {
  const effectId = newId()
  const { question, facts, isOutside } = call.confirmation
  await org.transact((tx) =>
    tx.run(sql`
      insert into pending_effect (org_id, effect_id, api_key_id, member_id, connected_app_id, mode, tool, arguments_hash, question, facts,
        is_outside, permission, asked_by, created_at, expires_at)
      values (${tx.orgId}, ${effectId}, ${caller.apiKeyId}, ${caller.memberId}, ${caller.connectedAppId ?? null}, ${caller.mode}, ${call.tool},
        ${call.argumentsHash}, ${question}, ${JSON.stringify(facts)}::jsonb, ${isOutside}, ${call.permission}, ${caller.name},
        now(),
        now() + make_interval(secs => ${effectSeconds}))`),
  )
  return { effectId, isOutside, isApproved: null }
}

/** The effect that this caller asked for with these arguments; null if there is none, or it expired. */
export async function findEffect(
  org: Org,
  caller: Caller,
  effectId: string,
  argumentsHash: Buffer,
): Promise<Effect | null> {
  if (typeof parseUuid(effectId) !== 'string') return null
  const [row] = await org.readRows(sql<{ is_outside: boolean; is_approved: boolean | null }>`
    select is_outside, is_approved from pending_effect
    where org_id = ${org.orgId} and effect_id = ${effectId} and arguments_hash = ${argumentsHash}
      and api_key_id is not distinct from ${caller.apiKeyId} and member_id is not distinct from ${caller.memberId}
      and connected_app_id is not distinct from ${caller.connectedAppId ?? null}
      and mode = ${caller.mode} and expires_at > now()`)
  return row ? { effectId, isOutside: row.is_outside, isApproved: row.is_approved } : null
}

/** Deletes expired effects: nobody can confirm them. Returns how many. */
export function dropOldEffects(scope: SystemScope): Promise<number> {
  return scope.transact((tx) =>
    tx.run(sql`
      delete from pending_effect where (org_id, effect_id) in (
        select org_id, effect_id from pending_effect where expires_at < now() limit 1000)`),
  )
}
