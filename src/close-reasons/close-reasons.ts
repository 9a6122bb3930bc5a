import { recordEvents } from '../events/record.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { newId } from '../platform/db/new-id.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { moveTo, type OrderedTable, setPositions } from '../platform/db/positions.ts'
import { sql } from '../platform/db/sql.ts'
import { conflict, invalid, notFound } from '../platform/domain-error.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import type { CloseReason, CloseReasonQuery, CreateCloseReason, UpdateCloseReason } from './schema.ts'

/** The list has no pages, so its length is limited. */
const reasonsMax = 500

const ordered: OrderedTable = { table: 'close_reason', id: 'close_reason_id' }

const columns = sql`
  close_reason_id, label, outcome, position, version,
  floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from updated_at))::bigint as updated_at,
  floor(extract(epoch from archived_at))::bigint as archived_at`

/** Returns the reasons in the order that the org chose, with archived reasons at the end. */
export function listReasons(
  tx: OrgTx,
  { archived, outcome }: { archived: boolean | 'all'; outcome?: CloseReasonQuery['outcome'] },
): Promise<CloseReason[]> {
  const fitting = outcome === undefined ? sql`` : sql`and outcome in (${outcome}, 'any')`
  const shown = archived === 'all' ? sql`` : sql`and (archived_at is not null) = ${archived}`
  return tx.rows(sql<CloseReason>`
    select ${columns} from close_reason where org_id = ${tx.orgId} ${shown} ${fitting}
    order by position nulls last, close_reason_id`)
}

/**
 * Creates a close reason at its position, or at the end.
 * @throws DomainError conflict if the org has 500 close reasons
 */
export async function createReason(tx: OrgTx, input: CreateCloseReason): Promise<CloseReason> {
  const all = await lockReasons(tx)
  if (all.length >= reasonsMax) {
    throw conflict(
      'limit_reached',
      `An organization can have at most ${reasonsMax} close reasons, including archived ones. Change or restore an existing one.`,
    )
  }
  const reasonId = newId()
  const order = activeIds(all)
  await tx.run(sql`
    insert into close_reason (org_id, close_reason_id, label, outcome, position)
    values (${tx.orgId}, ${reasonId}, ${input.label}, ${input.outcome}, ${order.length + 1})`)
  await moveTo(tx, ordered, order, reasonId, input.position)
  await recordEvents(tx, [{ type: 'close_reason.created', objectId: reasonId }])
  return readReason(tx, reasonId)
}

/** @throws DomainError not_found; conflict if the reason is archived, or `version` is not the current one */
export async function changeReason(
  tx: OrgTx,
  reasonId: string,
  input: UpdateCloseReason,
  version: number | undefined,
): Promise<CloseReason> {
  const all = await lockReasons(tx)
  const reason = pick(all, reasonId, version)
  if (reason.archived_at !== null) {
    throw conflict(
      'record_archived',
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
  await moveTo(tx, ordered, order, reasonId, position)
  const { label = reason.label, outcome = reason.outcome } = input
  await tx.run(sql`
    update close_reason
    set label = ${label}, outcome = ${outcome}, version = version + 1, updated_at = clock_timestamp()
    where org_id = ${tx.orgId} and close_reason_id = ${reasonId}`)
  await recordEvents(tx, [{ type: 'close_reason.updated', objectId: reasonId, changed }])
  return readReason(tx, reasonId)
}

/**
 * Archives a close reason, or restores it at the end. Repeating the call changes nothing. Deals keep an archived
 * reason.
 * @throws DomainError not_found; conflict if `version` is not the current one
 */
export async function setReasonArchived(
  tx: OrgTx,
  reasonId: string,
  archived: boolean,
  version: number | undefined,
): Promise<CloseReason> {
  const all = await lockReasons(tx)
  const reason = pick(all, reasonId, version)
  if ((reason.archived_at !== null) === archived) return reason
  const order = activeIds(all).filter((id) => id !== reasonId)
  const [position, archivedAt] = archived ? [null, sql`clock_timestamp()`] : [order.length + 1, null]
  await tx.run(sql`
    update close_reason
    set position = ${position}, archived_at = ${archivedAt},
      version = version + 1, updated_at = clock_timestamp()
    where org_id = ${tx.orgId} and close_reason_id = ${reasonId}`)
  await setPositions(tx, ordered, order)
  const type = archived ? 'close_reason.archived' : 'close_reason.restored'
  await recordEvents(tx, [{ type, objectId: reasonId }])
  return readReason(tx, reasonId)
}

/**
 * Locks the reason of a deal that is being closed, so that nobody archives it.
 * @throws DomainError not_found that names the field; invalid if the reason is archived, or not for deals of this
 * status
 */
export async function lockFittingReason(tx: OrgTx, reasonId: string, status: 'won' | 'lost'): Promise<void> {
  const reason = await tx.first(sql<CloseReason>`${selectReason(tx, reasonId)} for share`)
  if (!reason)
    throw notFound(
      'reference_not_found',
      `close_reason_id: no close reason of this organization has the id ${reasonId}`,
    )
  const { label, outcome, archived_at: archivedAt } = reason
  if (archivedAt !== null)
    throw invalid(
      'close_reason_archived',
      `close_reason_id: "${label}" is archived. Restore it, or send another one.`,
    )
  if (outcome !== 'any' && outcome !== status) {
    throw invalid(
      'close_reason_unfit',
      `close_reason_id: "${label}" is for ${outcome} deals. Send one for ${status} deals (GET /deals/close-reasons?outcome=${status}).`,
    )
  }
}

/** Returns all close reasons in order, locked against other writers. */
async function lockReasons(tx: OrgTx): Promise<CloseReason[]> {
  const [, reasons] = await Promise.all([
    lockExclusive(tx, `close reasons ${tx.orgId}`),
    listReasons(tx, { archived: 'all' }),
  ])
  return reasons
}

function pick(reasons: readonly CloseReason[], reasonId: string, version: number | undefined): CloseReason {
  const reason = reasons.find((each) => each.close_reason_id === reasonId)
  if (!reason) throw reasonNotFound()
  requireVersion('this close reason', version, reason.version)
  return reason
}

const reasonNotFound = () => notFound('object_not_found', 'No close reason of this organization has this id')

const activeIds = (reasons: readonly CloseReason[]) =>
  reasons.filter(({ position }) => position !== null).map((reason) => reason.close_reason_id)

/** @throws DomainError not_found */
export async function readReason(tx: OrgTx, reasonId: string): Promise<CloseReason> {
  const reason = await tx.first(selectReason(tx, reasonId))
  if (!reason) throw reasonNotFound()
  return reason
}

const selectReason = ({ orgId }: OrgTx, reasonId: string) =>
  sql<CloseReason>`select ${columns} from close_reason where org_id = ${orgId} and close_reason_id = ${reasonId}`
