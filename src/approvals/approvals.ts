import { allows } from '../auth/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { decideEffects, type UndecidedEffect } from './effects.ts'

/** A tool call that waits for the decision of a person. */
export type Approval = {
  effect_id: string
  tool: string
  question: string
  facts: Record<string, unknown>
  /** The API key, or the person and the app. */
  asked_by: string
  mode: 'live' | 'test'
  created_at: number
  expires_at: number
}

const waitingMax = 100

/** Returns the effects that this person may decide, oldest first, at most 100. */
export async function listApprovals(org: Org, caller: Caller): Promise<Approval[]> {
  const rows = await org.readRows(sql<Approval & { permission: string }>`
    select effect_id, tool, question, facts, asked_by, mode, permission,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from expires_at))::bigint as expires_at
    from pending_effect
    where org_id = ${org.orgId} and is_outside and decided_at is null and expires_at > now()
      and (member_id is null or member_id = ${caller.memberId})
    order by effect_id limit ${waitingMax}`)
  return rows.filter((row) => allows(caller.permissions, row.permission)).map(({ permission, ...row }) => row)
}

type OpenEffect = UndecidedEffect & { permission: string }

export type Decision = { effect_id: string; outcome: 'approved' | 'declined' | 'expired' }

/**
 * Approves or declines effects. Effects of other people, and of tools that the person may not use, count as expired.
 * @param isApproved whether the calls may run
 */
export async function decideApprovals(
  tx: OrgTx,
  caller: Caller,
  effectIds: readonly string[],
  isApproved: boolean,
): Promise<Decision[]> {
  const open = await tx.rows(sql<OpenEffect>`
    select effect_id, permission, tool, connected_app_id from pending_effect
    where org_id = ${tx.orgId} and effect_id = any(${[...effectIds]}::uuid[]) and is_outside and decided_at is null
      and expires_at > now() and (member_id is null or member_id = ${caller.memberId})
    order by effect_id for update`)
  const mine = open.filter(({ permission }) => allows(caller.permissions, permission))
  await decideEffects(tx, caller, mine, isApproved)
  const decided = new Set(mine.map(({ effect_id }) => effect_id))
  const outcome = isApproved ? 'approved' : 'declined'
  return effectIds.map((effect_id) => ({
    effect_id,
    outcome: decided.has(effect_id) ? outcome : 'expired',
  }))
}
