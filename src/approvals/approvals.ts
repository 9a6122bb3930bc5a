import { grantable } from '../connected-apps/permissions.ts'
import { keyName } from '../events/actor.ts'
import type { Caller } from '../platform/caller.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { decideEffects, type UndecidedEffect } from './effects.ts'

/** A tool call that waits for the decision of a person. */
export type Approval = {
  effect_id: string
  tool: string
  question: string
  facts: Record<string, unknown>
  /** The API key, the agency whose key it is, or the person and the app. */
  asked_by: string
  mode: 'live' | 'test'
  created_at: number
  expires_at: number
}

const waitingMax = 100

/** SQL of the condition that an effect is for this person: it needs a permission that the person has, and no other person asked for it. */
const isFor = ({ memberId, permissions }: Caller): Sql => sql`
  is_outside and (member_id is null or member_id = ${memberId})
    and permission = any (${grantable(permissions)}::text[])`

/** SQL of the condition that this person may decide an effect. */
const mayDecide = (caller: Caller): Sql =>
  sql`${isFor(caller)} and decided_at is null and expires_at > now() and ${canContinue}`

/**
 * SQL of the condition that the app or key that asked can still act here, and has the permission: after an approval,
 * nothing would happen otherwise.
 */
const canContinue: Sql = sql`
  (connected_app_id is null or exists (
    select from connected_app a where a.org_id = pending_effect.org_id
      and a.connected_app_id = pending_effect.connected_app_id and a.revoked_at is null
      and pending_effect.permission = any (a.permissions)))
  and (api_key_id is null or app.key_may_act(api_key_id, permission))`

/** SQL of who asked: a client does not know the keys of its agency, so their effects name the agency. */
const askedBy: Sql = sql`coalesce(
  case when api_key_id is not null then ${rawSql(keyName('pending_effect', 'pending_effect.api_key_id'))} end, asked_by)`

/** Returns the effects that this person may decide, oldest first, at most 100. */
export function listApprovals(org: Org, caller: Caller): Promise<Approval[]> {
  return org.readRows(sql<Approval>`
    select effect_id, tool, question, facts, ${askedBy} as asked_by, mode,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from expires_at))::bigint as expires_at
    from pending_effect where org_id = ${org.orgId} and ${mayDecide(caller)}
    order by effect_id limit ${waitingMax}`)
}

export type Outcome = 'approved' | 'declined' | 'approved_before' | 'declined_before' | 'expired'

export type Decision = { effect_id: string; outcome: Outcome }

/**
 * Approves or declines effects. An earlier decision stays. Effects of other people, and of tools that the person may not
 * use, count as expired.
 * @param isApproved whether the calls may run
 */
export async function decideApprovals(
  tx: OrgTx,
  caller: Caller,
  effectIds: readonly string[],
  isApproved: boolean,
): Promise<Decision[]> {
  const found = await tx.rows(sql<UndecidedEffect & { is_approved: boolean | null; is_open: boolean }>`
    select effect_id, tool, connected_app_id, is_approved, ${mayDecide(caller)} as is_open from pending_effect
    where org_id = ${tx.orgId} and effect_id = any(${[...effectIds]}::uuid[]) and ${isFor(caller)}
    order by effect_id for update`)
  await decideEffects(
    tx,
    caller,
    found.filter(({ is_open }) => is_open),
    isApproved,
  )
  const outcomes = new Map(
    found.map((effect) => [
      effect.effect_id,
      outcomeOf(effect.is_open ? isApproved : effect.is_approved, isApproved),
    ]),
  )
  return effectIds.map((effect_id) => ({ effect_id, outcome: outcomes.get(effect_id) ?? 'expired' }))
}

/**
 * @param decided the decision that counts; null: nobody decided in time
 * @param wanted the decision of this person
 */
function outcomeOf(decided: boolean | null, wanted: boolean): Outcome {
  if (decided === null) return 'expired'
  const outcome = decided ? 'approved' : 'declined'
  return decided === wanted ? outcome : `${outcome}_before`
}
