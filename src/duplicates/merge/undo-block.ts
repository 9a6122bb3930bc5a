import type { Caller } from '../../platform/caller.ts'
import { conflict, type DomainError, forbidden } from '../../platform/domain-error.ts'
import type { CodeOf } from '../../platform/error-codes/catalog.ts'
import { referencesMoving } from '../../records/pending-moves.ts'
import { recordTypes } from '../entities.ts'
import { mergeRefusal } from '../permissions.ts'
import type { EngineSettings } from '../settings.ts'
import type { MergeRow } from './merges.ts'
import type { UndoBlock } from './schema.ts'

const dayMs = 86_400_000

/**
 * Returns why `caller` cannot undo a merge now; null if it can. Lists show this. An undo checks it again under its
 * locks.
 */
export function undoBlockOf(
  row: MergeRow,
  caller: Caller,
  { undo_days: days }: Pick<EngineSettings, 'undo_days'>,
  now: Date,
): UndoBlock | null {
  if (mergeRefusal(caller, row.entity)) return 'not_permitted'
  if (row.status === 'undone') return 'already_undone'
  if (row.status !== 'applied') return 'shadow'
  if (row.applying) return 'applying'
  if (row.loser === null || row.loser.rootStatus === 'erased') return 'erased'
  if (row.loser.rootStatus !== 'active') return 'survivor_deleted'
  const isExpired = days !== null && row.merged_at && row.merged_at.getTime() + days * dayMs < now.getTime()
  return isExpired ? 'expired' : null
}

const stillMoving = 'References to these two records are still being moved: try again in a few seconds'

/** The refusal of a change to a merge whose references are still being moved. */
export const mergeApplying = (): DomainError => referencesMoving(stillMoving)

/** The refusal of a proposal whose records were merged in the meantime. */
export const proposalAlreadyMerged = (mergeId: string): DomainError =>
  conflict('proposal_closed', `This proposal has become the merge ${mergeId}: use that merge id`)

/** The error for an undo that is not possible, with a text that says why and what to do. */
export function undoRefusal(block: UndoBlock, row: MergeRow, caller: Caller): DomainError {
  const { path } = recordTypes[row.entity]
  const texts: Record<UndoBlock, string> = {
    shadow:
      row.status === 'shadow'
        ? `This merge is only a proposal: apply it (POST /duplicates/shadow/${row.merge_id}/apply) or dismiss it`
        : 'This merge was only a proposal, and the proposal is closed: there is nothing to undo',
    already_undone: `This merge is already undone; POST /duplicates/redo-merge/${row.merge_id} brings it back`,
    applying: stillMoving,
    expired: 'This merge is too old to be undone: see undo_days in GET /duplicates/settings',
    erased: 'The records of this merge were erased: there is nothing left to restore',
    survivor_deleted: `The canonical record of both is archived: restore it first (POST ${path}/${row.loser?.rootId}/restore)`,
    not_permitted: 'This API key may not undo this merge',
  }
  if (block === 'not_permitted')
    return mergeRefusal(caller, row.entity) ?? forbidden('permission_missing', texts.not_permitted)
  return block === 'applying' ? mergeApplying() : conflict(codes[block], texts[block])
}

const codes: Readonly<Record<Exclude<UndoBlock, 'not_permitted' | 'applying'>, CodeOf<'conflict'>>> = {
  shadow: 'merge_not_applied',
  already_undone: 'merge_already_undone',
  expired: 'undo_expired',
  erased: 'merge_erased',
  survivor_deleted: 'record_archived',
}
