import { lockCallerRights } from '../auth/caller-rights.ts'
import { recordEvents } from '../events/record.ts'
import type { Caller } from '../platform/caller.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { tooMany } from '../platform/domain-error.ts'
import { parseUuid } from '../platform/http/parse-uuid.ts'
import { withdrawLostApproval } from './approver.ts'

/** A call that waits for a person expires after this time. */
const effectSeconds = 600

export type EffectConfirmation = {
  /** The question to the person. */
  question: string
  /** The expected effect: the numbers and names of a dry run. */
  facts: Record<string, unknown>
  /** True if the call acts outside of Crosswalk, such as a phone call. A model alone cannot confirm such a call. */
  isOutside: boolean
}

export type Effect = {
  effectId: string
  isOutside: boolean
  /** The question to the person. */
  question: string
  /** Whether somebody approved it, in the console or in a form of the host; null: nobody decided. */
  isApproved: boolean | null
  /** Whether the confirmed call began to run. A later call with the same arguments is only a repetition. */
  hasBegun: boolean
}

/** More waiting calls would hide the important ones from the person. */
const waitingMax = 100

/**
 * Stores that a call waits for the confirmation of a person.
 * @throws DomainError too_many if 100 calls of this caller wait
 */
export async function createEffect(
  org: Org,
  caller: Caller,
  call: { tool: string; permission: string; argumentsHash: Buffer; confirmation: EffectConfirmation },
): Promise<Effect> {
  const effectId = newId()
  const { question, facts, isOutside } = call.confirmation
  await org.transact(async (tx) => {
    const waiting = await tx.first(sql<{ count: number }>`
      select count(*)::int as count from pending_effect
      where org_id = ${tx.orgId} and ${senderIs(caller)} and decided_at is null and begun_at is null and expires_at > now()`)
    if ((waiting?.count ?? 0) >= waitingMax)
      throw tooMany(
        'rate_limit_exceeded',
        `${waitingMax} calls wait for a person. Ask the person to decide them, or wait until they expire.`,
        { retryAfterSeconds: effectSeconds },
      )
    await tx.run(sql`
      insert into pending_effect (org_id, effect_id, api_key_id, member_id, connected_app_id, mode, tool, arguments_hash, question, facts,
        is_outside, permission, asked_by, created_at, expires_at)
      values (${tx.orgId}, ${effectId}, ${caller.apiKeyId}, ${caller.memberId}, ${caller.connectedAppId ?? null}, ${caller.mode}, ${call.tool},
        ${call.argumentsHash}, ${question}, ${JSON.stringify(facts)}::jsonb, ${isOutside}, ${call.permission}, ${caller.name},
        now(),
        now() + make_interval(secs => ${effectSeconds}))`)
  })
  return { effectId, isOutside, question, isApproved: null, hasBegun: false }
}

/** Returns the effect that this caller asked for with these arguments; null if there is none, or it expired. */
export async function findEffect(
  org: Org,
  caller: Caller,
  effectId: string,
  argumentsHash: Buffer,
): Promise<Effect | null> {
  if (typeof parseUuid(effectId) !== 'string') return null
  const [row] = await org.readRows(sql<Row>`
    select is_outside, question, is_approved, begun_at is not null as has_begun from pending_effect
    where org_id = ${org.orgId} and effect_id = ${effectId} and arguments_hash = ${argumentsHash} and ${senderIs(caller)}
      and mode = ${caller.mode} and expires_at > now()`)
  if (!row) return null
  const { is_outside: isOutside, question, is_approved: isApproved, has_begun: hasBegun } = row
  return { effectId, isOutside, question, isApproved, hasBegun }
}

type Row = { is_outside: boolean; question: string; is_approved: boolean | null; has_begun: boolean }

const senderIs = ({ apiKeyId, memberId, connectedAppId }: Caller) => sql`
  api_key_id is not distinct from ${apiKeyId} and member_id is not distinct from ${memberId}
    and connected_app_id is not distinct from ${connectedAppId ?? null}`

export type UndecidedEffect = { effect_id: string; tool: string; connected_app_id: string | null }

/** Stores what a person decided about effects that are locked, with an event for each. */
export async function decideEffects(
  tx: OrgTx,
  { memberId }: Caller,
  effects: readonly UndecidedEffect[],
  isApproved: boolean,
): Promise<void> {
  await tx.run(sql`
    update pending_effect set decided_at = now(), decided_by = ${memberId}, is_approved = ${isApproved}
    where org_id = ${tx.orgId} and effect_id = any(${effects.map(({ effect_id }) => effect_id)}::uuid[])`)
  await recordEvents(
    tx,
    effects.map(({ effect_id, tool, connected_app_id }) => ({
      type: `approval.${isApproved ? 'approved' : 'declined'}` as const,
      objectId: effect_id,
      data: { tool, ...(connected_app_id === null ? {} : { connected_app_id }) },
    })),
  )
}

/**
 * Decides an effect as the person answered in a form of the host, unless somebody decided before. Returns whether it is
 * approved now.
 */
export function answerForm(
  org: Org,
  caller: Caller,
  effectId: string,
  isAccepted: boolean,
): Promise<boolean> {
  return org.transact(async (tx) => {
    const effect = await tx.first(sql<UndecidedEffect & { is_approved: boolean | null }>`
      select effect_id, tool, connected_app_id, is_approved from pending_effect
      where org_id = ${tx.orgId} and effect_id = ${effectId} for update`)
    if (!effect) return false
    if (effect.is_approved !== null) return effect.is_approved
    await decideEffects(tx, caller, [effect], isAccepted)
    return isAccepted
  })
}

/**
 * Stores that the confirmed call begins to run.
 * @param permission the permission that the caller must still have; of several, one is enough
 * @returns false if the person who approved the effect may no longer approve it; then the effect is undecided again
 * @throws DomainError unauthenticated if the app or key no longer exists; forbidden if the app or key no longer has the
 * permission
 */
export function beginEffect(
  org: Org,
  caller: Caller,
  effectId: string,
  permission: readonly string[],
): Promise<boolean> {
  return org.transact(async (tx) => {
    // Lock the approver first: the removal of a member also locks the membership before the member's apps. In another
    // order, the two could deadlock.
    if (await withdrawLostApproval(tx, effectId)) return false
    await lockCallerRights(tx, caller, permission)
    await tx.run(sql`
      update pending_effect set begun_at = now()
      where org_id = ${tx.orgId} and effect_id = ${effectId} and begun_at is null`)
    return true
  })
}

/** Stores that the confirmed call was refused and had no effect. The next attempt is checked like a first one. */
export async function endRefusedEffect(org: Org, effectId: string): Promise<void> {
  await org.transact((tx) =>
    tx.run(sql`
      update pending_effect set begun_at = null where org_id = ${tx.orgId} and effect_id = ${effectId}`),
  )
}

/** Deletes up to `max` expired effects: nobody can confirm them. Returns how many. */
export function deleteOldEffects(scope: SystemScope, max: number): Promise<number> {
  return scope.transact((tx) =>
    tx.run(sql`
      delete from pending_effect where (org_id, effect_id) in (
        select org_id, effect_id from pending_effect where expires_at < now() limit ${max})`),
  )
}
