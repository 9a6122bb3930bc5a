import { lockFittingReason } from '../close-reasons/close-reasons.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { conflict } from '../platform/domain-error.ts'
import { requireActive } from '../records/change.ts'
import type { Write } from '../records/clusters/attribution.ts'
import { lockRecord } from '../records/lock.ts'
import type { StoredRecord } from '../records/record-type.ts'
import { updateRecords } from '../records/write.ts'
import { deals } from './deals.ts'
import type { CloseDeal } from './schema.ts'
import { lockStagesShared } from './stages.ts'

/**
 * Closes an open deal. A deal that is already closed with this status gets the new reason. Returns the id of the
 * deal.
 * @throws DomainError invalid for an archived or unsuitable reason; not_found; conflict if the deal is archived, or
 * closed with the other status
 */
export async function closeDeal(
  tx: OrgTx,
  dealId: string,
  { status, close_reason_id: reasonId }: CloseDeal,
  version: number | undefined,
): Promise<string> {
  const stored = await lockActive(tx, dealId, version)
  const { recordId, state: before } = stored
  if (before.deal_status !== 'open' && before.deal_status !== status) {
    throw conflict(
      'deal_already_closed',
      `This deal is already ${before.deal_status}. Reopen it first (POST /deals/${recordId}/reopen).`,
    )
  }
  const changesReason = reasonId !== undefined && reasonId !== before.close_reason_id
  if (changesReason && reasonId !== null) await lockFittingReason(tx, reasonId, status)
  const state = {
    ...before,
    deal_status: status,
    closed_at: before.closed_at ?? new Date(),
    close_reason_id: changesReason ? reasonId : before.close_reason_id,
  }
  const event = before.deal_status === 'open' ? 'closed' : 'updated'
  await updateRecords(tx, deals, [{ stored, state, write: closingWrite(dealId) }], { event })
  return recordId
}

/**
 * Reopens a deal in its stage, or in the first stage if its own does not exist any more. An open deal is unchanged.
 * Returns the id of the deal.
 * @throws DomainError not_found; conflict if the deal is archived
 */
export async function reopenDeal(tx: OrgTx, dealId: string, version: number | undefined): Promise<string> {
  const stages = await lockStagesShared(tx)
  const stored = await lockActive(tx, dealId, version)
  const isGone = !stages.includes(stored.state.stage as string)
  const state = {
    ...stored.state,
    deal_status: 'open',
    closed_at: null,
    close_reason_id: null,
    ...(isGone ? { stage: stages[0] } : {}),
  }
  const write = closingWrite(dealId)
  if (isGone) write.columns = [...write.columns, 'stage']
  await updateRecords(tx, deals, [{ stored, state, write }], { event: 'reopened' })
  return stored.recordId
}

const closingWrite = (recordId: string): Write => ({
  recordId,
  columns: ['deal_status', 'closed_at', 'close_reason_id'],
  lists: {},
})

async function lockActive(tx: OrgTx, dealId: string, version: number | undefined): Promise<StoredRecord> {
  const stored = await lockRecord(tx, deals, dealId, { version })
  requireActive(deals, stored)
  return stored
}
