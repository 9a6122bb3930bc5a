import { v7 } from 'uuid'
import { type Actor, recordEvents } from '../events/record.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import type { Tx } from '../platform/db/tx.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { badRequest, conflict, notFound } from '../platform/http/problem.ts'
import type { CloseReason, CloseReasonQuery, CreateCloseReason, UpdateCloseReason } from './schema.ts'

/** The list has no pages, so its length is limited. */
const reasonsMax = 500

const columns = `
  close_reason_id, label, outcome, position, version,
  floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from updated_at))::bigint as updated_at,
  floor(extract(epoch from archived_at))::bigint as archived_at`

/** The org's active close reasons in their order, the archived ones, or all with the archived ones at the end. */
export function listReasons(
  tx: Tx,
  orgId: string,
  { archived, outcome }: { archived: boolean | 'all'; outcome?: CloseReasonQuery['outcome'] },
): Promise<CloseReason[]> {
  return tx.rows<CloseReason>({
    text: `
      select ${columns} from close_reason
      where org_id = $1 and ($2::boolean is null or $2 = (archived_at is not null)) and ($3::text is null or outcome in ($3, 'any'))
      order by position nulls last, close_reason_id`,
    values: [orgId, archived === 'all' ? null : archived, outcome ?? null],
  })
}

/** Creates a close reason, at its position or at the end. @throws Problem 409 if the org has 500 */
export async function createReason(tx: Tx, actor: Actor, input: CreateCloseReason): Promise<CloseReason> {
  const { orgId } = actor
  const all = await lockReasons(tx, orgId)
  if (all.length >= reasonsMax) {
    throw conflict(
      `An organization can have at most ${reasonsMax} close reasons, including archived ones. Change or restore an existing one.`,
    )
  }
  const reasonId = v7()
  const order = activeIds(all)
  await tx.run({
    text: `
      insert into close_reason (org_id, close_reason_id, label, outcome, position) values ($1, $2, $3, $4, $5)`,
    values: [orgId, reasonId, input.label, input.outcome, order.length + 1],
  })
  await place(tx, orgId, order, reasonId, input.position)
  await recordEvents(tx, actor, [{ type: 'close_reason.created', objectId: reasonId }])
  return readReason(tx, orgId, reasonId)
}

/** Changes the given fields. @throws Problem 404; 409 if the reason is archived, or `version` is not the current one */
export async function changeReason(
  tx: Tx,
  actor: Actor,
  reasonId: string,
  input: UpdateCloseReason,
  version: number | undefined,
): Promise<CloseReason> {
  const { orgId } = actor
  const all = await lockReasons(tx, orgId)
  const reason = pick(all, reasonId, version)
  if (reason.archived_at !== null) {
    throw conflict(
      `This close reason is archived. Restore it first (POST /deals/close-reasons/${reasonId}/restore).`,
    )
  }
  const order = activeIds(all)
  const position = input.position && Math.min(input.position, order.length)
  const asked = { ...input, position }
  const changed = (['label', 'outcome', 'position'] as const).filter(
    (field) => asked[field] !== undefined && asked[field] !== reason[field],
  )
  if (changed.length === 0) return reason
  await place(tx, orgId, order, reasonId, position)
  await tx.run({
    text: `
      update close_reason
      set label = $3, outcome = $4, version = version + 1, updated_at = clock_timestamp()
      where org_id = $1 and close_reason_id = $2`,
    values: [orgId, reasonId, input.label ?? reason.label, input.outcome ?? reason.outcome],
  })
  await recordEvents(tx, actor, [{ type: 'close_reason.updated', objectId: reasonId, changed }])
  return readReason(tx, orgId, reasonId)
}

/**
 * Archives a close reason, so that those behind it move up; or restores it, at the end. A repeat has no effect. Deals
 * that have the reason keep it. @throws Problem 404; 409 if `version` is not the current one
 */
export async function setReasonArchived(
  tx: Tx,
  actor: Actor,
  reasonId: string,
  archived: boolean,
  version: number | undefined,
): Promise<CloseReason> {
  const { orgId } = actor
  const all = await lockReasons(tx, orgId)
  const reason = pick(all, reasonId, version)
  if ((reason.archived_at !== null) === archived) return reason
  const order = activeIds(all).filter((id) => id !== reasonId)
  await tx.run({
    text: `
      update close_reason
      set position = $3, archived_at = case when $3::integer is null then clock_timestamp() end,
        version = version + 1, updated_at = clock_timestamp()
      where org_id = $1 and close_reason_id = $2`,
    values: [orgId, reasonId, archived ? null : order.length + 1],
  })
  await setPositions(tx, orgId, order)
  const type = archived ? 'close_reason.archived' : 'close_reason.restored'
  await recordEvents(tx, actor, [{ type, objectId: reasonId }])
  return readReason(tx, orgId, reasonId)
}

/**
 * Locks the reason with which a deal is closed, so that nobody archives it meanwhile.
 * @throws Problem 404 that names the field; 400 if the reason is archived, or not for deals of this status
 */
export async function lockFittingReason(
  tx: Tx,
  orgId: string,
  reasonId: string,
  status: 'won' | 'lost',
): Promise<void> {
  const reason = await tx.first<Pick<CloseReason, 'label' | 'outcome' | 'archived_at'>>({
    text: `select ${columns} from close_reason where org_id = $1 and close_reason_id = $2 for share`,
    values: [orgId, reasonId],
  })
  if (!reason) throw notFound(`close_reason_id: no close reason of this organization has the id ${reasonId}`)
  const { label, outcome, archived_at: archivedAt } = reason
  if (archivedAt !== null)
    throw badRequest(`close_reason_id: "${label}" is archived. Restore it, or send another one.`)
  if (outcome !== 'any' && outcome !== status) {
    throw badRequest(
      `close_reason_id: "${label}" is for ${outcome} deals. Send one for ${status} deals (GET /deals/close-reasons?outcome=${status}).`,
    )
  }
}

/** Locks the org's close reasons against other writers, and returns all of them in their order. */
async function lockReasons(tx: Tx, orgId: string): Promise<CloseReason[]> {
  const [, reasons] = await Promise.all([
    lockExclusive(tx, `close reasons ${orgId}`),
    listReasons(tx, orgId, { archived: 'all' }),
  ])
  return reasons
}

function pick(reasons: readonly CloseReason[], reasonId: string, version: number | undefined): CloseReason {
  const reason = reasons.find((each) => each.close_reason_id === reasonId)
  if (!reason) throw reasonNotFound()
  requireVersion('this close reason', version, reason.version)
  return reason
}

const reasonNotFound = () => notFound('No close reason of this organization has this id')

const activeIds = (reasons: readonly CloseReason[]) =>
  reasons.filter(({ position }) => position !== null).map((reason) => reason.close_reason_id)

/** Moves a reason to its position; without a position its place in `order` stays. */
async function place(
  tx: Tx,
  orgId: string,
  order: readonly string[],
  reasonId: string,
  position: number | undefined,
): Promise<void> {
  if (position === undefined) return
  await setPositions(tx, orgId, order.filter((id) => id !== reasonId).toSpliced(position - 1, 0, reasonId))
}

async function setPositions(tx: Tx, orgId: string, order: readonly string[]): Promise<void> {
  await tx.run({
    text: `
      update close_reason c set position = o.position
      from unnest($2::uuid[]) with ordinality as o (close_reason_id, position)
      where c.org_id = $1 and c.close_reason_id = o.close_reason_id and c.position <> o.position`,
    values: [orgId, order],
  })
}

async function readReason(tx: Tx, orgId: string, reasonId: string): Promise<CloseReason> {
  const reason = await tx.first<CloseReason>({
    text: `select ${columns} from close_reason where org_id = $1 and close_reason_id = $2`,
    values: [orgId, reasonId],
  })
  if (!reason) throw reasonNotFound()
  return reason
}
