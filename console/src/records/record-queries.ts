import { type InfiniteData, queryOptions } from '@tanstack/react-query'
import type { Pagination } from '../../../sdk/src/generated/types.ts'
import { queries } from '../api/session.ts'
import type { Scope } from '../shell/scope.tsx'
import { idOf, type RecordKind, type ShownRecord } from './kinds.ts'

export type RecordPage = { data: ShownRecord[]; pagination: Pagination }

/** The key of all lists of a type of record. */
export const listsKey = ({ entity }: RecordKind, orgId: string) => ['records', orgId, entity] as const

/** One record. An id of a merged record reads the record into which it was merged. */
export const recordQuery = (kind: RecordKind, { orgId, api }: Scope, id: string) =>
  queryOptions({
    queryKey: ['record', orgId, kind.entity, id],
    queryFn: async ({ signal, queryKey }) => {
      const read = await kind.apiOf(api).get(id, {}, { signal })
      // The person may have saved a later version while this request ran.
      const known = queries.getQueryData<ShownRecord>(queryKey)
      return known && idOf(kind, known) === idOf(kind, read) && known.version > read.version ? known : read
    },
  })

/** Stores records that were read or changed, so that all lists show them. Lists keep their order. */
export function storeRecords(kind: RecordKind, orgId: string, records: readonly ShownRecord[]): void {
  const known = new Map(records.map((record) => [idOf(kind, record), record]))
  // Only records that a page shows: a list has many others.
  for (const [id, record] of known)
    queries.setQueryData(['record', orgId, kind.entity, id], (shown: unknown) => shown && record)
  queries.setQueriesData<InfiniteData<RecordPage>>({ queryKey: listsKey(kind, orgId) }, (list) => {
    if (!list?.pages.some(({ data }) => data.some((row) => isOlder(row, known.get(idOf(kind, row))))))
      return list
    const pages = list.pages.map((page) => ({
      ...page,
      data: page.data.map((row) => {
        const next = known.get(idOf(kind, row))
        return next && isOlder(row, next) ? next : row
      }),
    }))
    return { ...list, pages }
  })
}

const isOlder = (row: ShownRecord, next: ShownRecord | undefined): boolean =>
  next !== undefined && next.version > row.version

/** Reads all lists of a type of record again, such as after a merge. */
export const reloadLists = (kind: RecordKind, orgId: string): Promise<void> =>
  queries.resetQueries({ queryKey: listsKey(kind, orgId) })
