import type { EntityType } from '../../../../sdk/src/generated/types.ts'
import type { Api } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import { undoMerge } from '../../records/undo-merge.ts'

const pageSize = 100
/** A small batch: progress is seen, and the person can stop soon. */
const batchSize = 20

export type BulkAnswer = { applied: string[]; failed: { id: string; why: string }[] }

/** Which proposals to accept. */
export type Wanted = { entity_type: EntityType; min_score: number }

/** The number of open proposals with at least this score. */
export async function countProposals(api: Api, wanted: Wanted, signal: AbortSignal): Promise<number> {
  const { pagination } = await api.duplicates.merges.list(
    { ...wanted, status: 'shadow', limit: 1 },
    { signal },
  )
  return pagination.total
}

/**
 * Merges the records of open proposals, the highest scores first, in small batches. A proposal that the server refuses does
 * not stop the others. Each batch has its own idempotency key, and the server refuses a proposal that is already
 * merged: after a lost connection, the same call continues, and merges nothing twice.
 * @param max the number of proposals that the person confirmed
 */
export async function acceptProposals(
  api: Api,
  wanted: Wanted,
  max: number,
  { isStopped, onProgress }: { isStopped: () => boolean; onProgress: (answer: BulkAnswer) => void },
): Promise<BulkAnswer> {
  const ids = await idsOf(api, wanted, max)
  const answer: BulkAnswer = { applied: [], failed: [] }
  for (let from = 0; from < ids.length && !isStopped(); from += batchSize) {
    const items = await api.duplicates.proposals.batchApply({ merge_ids: ids.slice(from, from + batchSize) })
    for (const { merge_id, applied_merge_id, detail } of items) {
      if (applied_merge_id) answer.applied.push(applied_merge_id)
      else answer.failed.push({ id: merge_id, why: detail ?? 'refused' })
    }
    onProgress({ applied: [...answer.applied], failed: [...answer.failed] })
  }
  return answer
}

/** Undoes merges, the last one first. A merge that cannot be undone stops no other. Returns the failed ids, in the order of `ids`. */
export async function undoMerges(
  api: Api,
  ids: readonly string[],
): Promise<{ undone: number; failed: { id: string; why: string }[] }> {
  const failed: { id: string; why: string }[] = []
  for (const id of ids.toReversed()) {
    try {
      await undoMerge(api, id)
    } catch (error) {
      failed.unshift({ id, why: problemOf(error).text })
    }
  }
  return { undone: ids.length - failed.length, failed }
}

/** Reads all ids first: a list that loses rows while it is read has other pages. */
async function idsOf(api: Api, wanted: Wanted, max: number): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ids.length < max; ) {
    const { data, pagination } = await api.duplicates.merges.list({
      ...wanted,
      ...{ status: 'shadow', sort: '-score', limit: pageSize },
      ...(cursor && { cursor }),
    })
    ids.push(...data.map(({ merge_id }) => merge_id))
    if (pagination.next_cursor === null) break
    cursor = pagination.next_cursor
  }
  return ids.slice(0, max)
}
