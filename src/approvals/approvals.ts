import { grantable } from '../connected-apps/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
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

/**
 * SQL of the condition that this person may decide an effect: an undecided one of a tool that the person may use, which
 * no other person asked for.
 */
const mayDecide = ({ memberId, permissions }: Caller): Sql => sql`
  is_outside and decided_at is null and expires_at > now() and (member_id is null or member_id = ${memberId})
    and permission = any (${grantable(permissions)}::text[])`

/** Returns the effects that this person may decide, oldest first, at most 100. */
export function listApprovals(org: Org, caller: Caller): Promise<Approval[]> {
  return org.readRows(sql<Approval>`
    select effect_id, tool, question, facts, asked_by, mode,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from expires_at))::bigint as expires_at
    from pending_effect where org_id = ${org.orgId} and ${mayDecide(caller)}
    order by effect_id limit ${waitingMax}`)
}

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
  const open = await tx.rows(sql<UndecidedEffect>`
    select effect_id, tool, connected_app_id from pending_effect
    where org_id = ${tx.orgId} and effect_id = any(${[...effectIds]}::uuid[]) and ${mayDecide(caller)}
    order by effect_id for update`)
  await decideEffects(tx, caller, open, isApproved)
  const decided = new Set(open.map(({ effect_id }) => effect_id))
  const outcome = isApproved ? 'approved' : 'declined'
  return effectIds.map((effect_id) => ({
    effect_id,
    outcome: decided.has(effect_id) ? outcome : 'expired',
  }))
}
