import { v7 } from 'uuid'
import { type Actor, recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { badRequest, conflict, notFound } from '../platform/http/problem.ts'
import { keyHash } from '../records/keys.ts'
import type { CloseReason, CloseReasonQuery, CreateCloseReason, UpdateCloseReason } from './schema.ts'

/** The list has no pages: it holds them all. */
const reasonsMax = 500

const columns = `
  close_reason_id, label, outcome, position, version,
  floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from updated_at))::bigint as updated_at,
  floor(extract(epoch from archived_at))::bigint as archived_at`

/** The close reasons of the org in their order, archived ones, if asked for, at the end. */
export function listReasons(tx: Tx, orgId: string, query: CloseReasonQuery): Promise<CloseReason[]> {
  return tx.rows<CloseReason>({
    text: `
      select ${columns} from close_reason
      where org_id = $1 and ($2 or archived_at is null) and ($3::text is null or outcome in ($3, 'any'))
      order by position nulls last, close_reason_id`,
    values: [orgId, query.include_archived, query.outcome ?? null],
  })
}

/** Makes a close reason, at its place or at the end. @throws Problem 409 if there are too many */
export async function createReason(tx: Tx, actor: Actor, input: CreateCloseReason): Promise<CloseReason> {
  const { orgId } = actor
  const all = await holdReasons(tx, orgId)
  if (all.length >= reasonsMax) {
    throw conflict(
      `An organization has at most ${reasonsMax} close reasons, archived ones included: change or restore one of those`,
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

/** Changes the fields that are given. @throws Problem 404; 409 if it is archived, or `version` is not the current one */
export async function changeReason(
  tx: Tx,
  actor: Actor,
  reasonId: string,
  input: UpdateCloseReason,
  version: number | undefined,
): Promise<CloseReason> {
  const { orgId } = actor
  const all = await holdReasons(tx, orgId)
  const reason = pick(all, reasonId, version)
  if (reason.archived_at !== null) {
    throw conflict(
      `This close reason is archived: restore it first (POST /deals/close-reasons/${reasonId}/restore)`,
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
 * Archives a close reason, and those behind it move up; or brings one back, to the end. No effect if it is so already.
 * Deals that carry it keep it. @throws Problem 404; 409 if `version` is not the current one
 */
export async function setReasonArchived(
  tx: Tx,
  actor: Actor,
  reasonId: string,
  archived: boolean,
  version: number | undefined,
): Promise<CloseReason> {
  const { orgId } = actor
  const all = await holdReasons(tx, orgId)
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
 * Holds the close reason of a deal that is being closed, so that it is not archived meanwhile.
 * @throws Problem 404 that names the field; 400 if it is archived, or not for such deals
 */
export async function holdFittingReason(
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
    throw badRequest(`close_reason_id: "${label}" is archived; restore it, or name another one`)
  if (outcome !== 'any' && outcome !== status) {
    throw badRequest(
      `close_reason_id: "${label}" is for ${outcome} deals; name one for ${status} deals (GET /deals/close-reasons?outcome=${status})`,
    )
  }
}

/** All reasons in their order; nobody else writes one until the transaction ends. */
async function holdReasons(tx: Tx, orgId: string): Promise<CloseReason[]> {
  const lock = keyHash({ kind: 'close reasons', value: orgId })
  const [, reasons] = await Promise.all([
    tx.run({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [lock] }),
    listReasons(tx, orgId, { include_archived: true, outcome: undefined }),
  ])
  return reasons
}

function pick(reasons: readonly CloseReason[], reasonId: string, version: number | undefined): CloseReason {
  const reason = reasons.find((each) => each.close_reason_id === reasonId)
  if (!reason) throw notFound('No close reason of this organization has this id')
  requireVersion('this close reason', version, reason.version)
  return reason
}

const activeIds = (reasons: readonly CloseReason[]) =>
  reasons.filter(({ position }) => position !== null).map((reason) => reason.close_reason_id)

/** Puts one, which may stand in `order` already, at its place; without one it stays where it is. */
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
  return reason!
}
