import type { Api } from '../../api/client.ts'
import type { BatchOutcome, RecordKind, ShownRecord } from '../kinds.ts'

/** The number of items that a request of the API may have. */
export const batchMax = 500

/** How often a record is tried that others change at the same time. */
const triesMax = 3

/** How a change of many records ended. `left`: the records that it did not try, because the person stopped it. */
export type BulkResult = { done: string[]; failed: { id: string; why: string }[]; left: number }

/** Before each request the change asks whether it is stopped, and after each one it says how many records are handled. */
export type Steps = { isStopped: () => boolean; onProgress: (handled: number) => void }

/** Archives or restores records, or gives them an owner; null: nobody. */
export const changeRecords = (
  kind: RecordKind,
  api: Api,
  ids: readonly string[],
  change: { action: 'archive' | 'restore' } | { owner_id: string | null },
  steps: Steps,
) =>
  inBatches(kind, api, ids, steps, async (part) => ({
    items: part.map((id) => ({ [kind.idField]: id, ...change })),
    ...{ had: [], gone: [] },
  }))

/**
 * Adds a tag to records, or removes it. Each record must still have the version that was read before. If somebody changed
 * it meanwhile, it is read again.
 */
export const tagRecords = (
  kind: RecordKind,
  api: Api,
  ids: readonly string[],
  { tag, adds }: { tag: string; adds: boolean },
  steps: Steps,
) =>
  inBatches(kind, api, ids, steps, async (part) => {
    const found = await kind.apiOf(api).batchRead({ ids: part })
    const records = found.flatMap(({ record }) => record ?? [])
    const isAsWanted = ({ tags }: ShownRecord) => tags.includes(tag) === adds
    return {
      items: records
        .filter((record) => !isAsWanted(record))
        .map((record) => ({
          [kind.idField]: idOf(kind, record),
          version: record.version,
          tags: adds ? [...record.tags, tag] : record.tags.filter((one) => one !== tag),
        })),
      had: records.filter(isAsWanted).map((record) => idOf(kind, record)),
      gone: found.flatMap(({ requested, record }) => (record ? [] : requested)),
    }
  })

/**
 * What is sent for a part of the records. `had`: the records that are already as the person wants them; `gone`: those
 * that do not exist.
 */
type Part = { items: Record<string, unknown>[]; had: string[]; gone: string[] }

const idOf = ({ idField }: RecordKind, item: Record<string, unknown> | undefined) => String(item?.[idField])

async function inBatches(
  kind: RecordKind,
  api: Api,
  ids: readonly string[],
  { isStopped, onProgress }: Steps,
  partOf: (ids: string[]) => Promise<Part>,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], failed: [], left: 0 }
  for (let from = 0; from < ids.length; from += batchMax) {
    if (isStopped()) return { ...result, left: ids.length - from }
    let asked = ids.slice(from, from + batchMax)
    for (let tries = 1; asked.length > 0; tries++) {
      const { items, had, gone } = await partOf(asked)
      // Somebody else did the same between two tries.
      if (tries > 1) result.done.push(...had)
      result.failed.push(...gone.map((id) => ({ id, why: 'It does not exist any more.' })))
      const outcomes = items.length === 0 ? [] : await kind.apiOf(api).batch({ items })
      const again: string[] = []
      for (const outcome of outcomes) {
        const id = idOf(kind, items[outcome.index])
        if (outcome.outcome !== 'failed') result.done.push(id)
        else if (outcome.code === 'version_conflict' && tries < triesMax) again.push(id)
        else result.failed.push({ id, why: whyOf(outcome) })
      }
      asked = again
    }
    onProgress(Math.min(ids.length, from + batchMax))
  }
  return result
}

function whyOf({ detail, code }: BatchOutcome): string {
  if (code === 'version_conflict') return 'Somebody changes it at the same time. Try again.'
  return typeof detail === 'string' ? detail : (code ?? 'refused')
}

/** The ids of all records that a list shows, at most `max`. */
export async function idsOfList(kind: RecordKind, api: Api, asked: object, max: number): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ids.length < max; ) {
    const { data, pagination } = await kind
      .apiOf(api)
      .search({ ...asked, fields: [kind.idField], limit: batchMax, ...(cursor && { cursor }) })
    ids.push(...data.map((record: ShownRecord) => idOf(kind, record)))
    if (pagination.next_cursor === null) break
    cursor = pagination.next_cursor
  }
  return ids.slice(0, max)
}
