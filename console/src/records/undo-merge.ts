import { ApiError } from '../../../sdk/src/errors.ts'
import type { Api } from '../api/client.ts'

/** Undoes a merge. If it is undone already, that is no error: the answer to an earlier try may be lost. */
export async function undoMerge(api: Api, mergeId: string): Promise<void> {
  try {
    await api.duplicates.merges.undo(mergeId, {})
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'merge_already_undone')) throw error
  }
}
