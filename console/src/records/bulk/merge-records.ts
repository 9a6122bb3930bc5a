import { ApiError } from '../../../../sdk/src/errors.ts'
import type { MergeRequest } from '../../../../sdk/src/generated/types.ts'
import type { Api } from '../../api/client.ts'
import type { ShownRecord } from '../kinds.ts'

const mergesMax = 50

/** `record`: the result; null: it is not known, because the answer to an earlier try was lost. */
export type Merged = { mergeIds: string[]; record: ShownRecord | null }

/**
 * Merges records. If the records are merged in this way already, that is no error: the answer to an earlier try may be
 * lost.
 */
export async function mergeRecords(api: Api, body: MergeRequest): Promise<Merged> {
  try {
    const { merges, record } = await api.duplicates.merges.create(body)
    return { mergeIds: merges.map(({ merge_id }) => merge_id), record: record as ShownRecord }
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'record_merged')) throw error
    const { survivor_id: survivorId, loser_ids: loserIds } = body
    const { data } = await api.duplicates.merges.list({ record_id: survivorId, limit: mergesMax })
    const made = data.filter(
      ({ status, survivor_id, loser_id }) =>
        status === 'applied' && survivor_id === survivorId && loserIds.includes(loser_id),
    )
    if (made.length < loserIds.length) throw error
    // Ids have the order of time. An undo begins with the latest merge.
    return { mergeIds: made.map(({ merge_id }) => merge_id).sort(), record: null }
  }
}
