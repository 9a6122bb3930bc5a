import { refusalOf, requirePermission } from '../auth/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import { conflict, type Problem } from '../platform/http/problem.ts'
import { type EntityType, entityTypes, recordTypes, resourceOf } from './entities.ts'
import type { MergeRow } from './merges.ts'
import type { UndoBlock } from './schema.ts'
import type { Settings } from './settings.ts'

const dayMs = 86_400_000

/** The kinds of records of which `caller` sees merges and scans: the one that is asked for, or all. @throws Problem 403 */
export function kindsToSee(caller: Caller, asked: EntityType | undefined): EntityType[] {
  if (asked) requirePermission(caller, `${resourceOf(asked)}:read`)
  return asked ? [asked] : entityTypes.filter((each) => !refusalOf(caller, `${resourceOf(each)}:read`))
}

/** What undoing or redoing a merge of records of a type takes. */
export function refusalToMerge(caller: Caller, entityType: EntityType): Problem | null {
  return refusalOf(caller, 'duplicates:write') ?? refusalOf(caller, `${resourceOf(entityType)}:write`)
}

/** The same of what an answer shows: a merge, merges, or a scan. */
export function refusalToSee(caller: Caller, shown: Record<string, unknown>): Problem | null {
  const merges = (shown.merges ?? [shown]) as { entity_type: EntityType }[]
  return refusalToMerge(caller, merges[0]!.entity_type)
}

/**
 * Why `caller` cannot undo a merge right now, or null. The one answer: what the list says beforehand, and what undoing
 * asks under the lock of the records.
 */
export function undoBlockOf(
  row: MergeRow,
  caller: Caller,
  { undo_days: days }: Pick<Settings, 'undo_days'>,
  now: Date,
): UndoBlock | null {
  if (refusalToMerge(caller, row.entity)) return 'not_permitted'
  if (row.status === 'undone') return 'already_undone'
  if (row.status !== 'applied') return 'shadow'
  if (row.applying) return 'applying'
  if (row.loser === null || row.loser.rootStatus === 'erased') return 'erased'
  if (row.loser.rootStatus !== 'active') return 'survivor_deleted'
  if (days !== null && row.merged_at!.getTime() + days * dayMs < now.getTime()) return 'expired'
  return null
}

/** What an answer to a proposal says once its two are merged. */
export const becameMerge = (mergeId: string): Problem =>
  conflict(`This proposal has become the merge ${mergeId}: see that one for what can be done`)

/** What undoing a merge answers where it is blocked. */
export function undoRefusal(block: UndoBlock, row: MergeRow, caller: Caller): Problem {
  const { path } = recordTypes[row.entity]
  const words: Record<Exclude<UndoBlock, 'not_permitted'>, string> = {
    shadow:
      row.status === 'shadow'
        ? `This merge was only proposed, never applied: apply it (POST /duplicates/shadow/${row.merge_id}/apply) or dismiss it`
        : 'This merge was only proposed, never applied, and the proposal is closed: there is nothing to undo',
    already_undone: `This merge is undone already; POST /duplicates/redo-merge/${row.merge_id} brings it back`,
    applying: 'Records that name these two are still being moved: try again in a moment',
    expired:
      'This merge is older than the organization allows to undo: see undo_days in GET /duplicates/settings',
    erased: 'The records of this merge were erased: there is nothing left to restore',
    survivor_deleted: `The record that stands for both is archived: restore it first (POST ${path}/${row.loser?.rootId}/restore)`,
  }
  return block === 'not_permitted' ? refusalToMerge(caller, row.entity)! : conflict(words[block])
}
