import { ApiError } from '../../../../sdk/src/errors.ts'
import type { MergeRequest } from '../../../../sdk/src/generated/types.ts'
import type { Api } from '../../api/client.ts'

const mergesMax = 50

/**
 * Merges records, and returns the ids of the merges. If the records are merged in this way already, that is no error: the
 * answer to an earlier try may be lost.
 */
export async function mergeRecords(api: Api, body: MergeRequest): Promise<string[]> {
  try {
    const { merges } = await api.duplicates.merges.create(body)
    return merges.map(({ merge_id }) => merge_id)
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
    return made.map(({ merge_id }) => merge_id).sort()
  }
}
