import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import { useScope } from '../../shell/scope.tsx'
import { answeredEarly, keyOf, pageSize, takeEarly } from '../early-list.ts'
import { idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import { queryOf } from '../list-query.ts'
import type { ListSearch } from '../list-search.ts'
import { listsKey, type RecordPage, storeRecords } from '../record-queries.ts'
import { rereadSegments } from '../segments/segment-queries.ts'

const pollMs = 5_000
/** A poll may keep the database busy for at most a twentieth of the time. */
const idleShare = 20

/** The first page and the visible rows, as the last poll read them. */
type Polled = { head: RecordPage; records: readonly ShownRecord[]; tookMs: number }

/**
 * The records of a list, page by page, and their number. Every 5 s it reads the first page and the visible rows again:
 * changes of other people appear in place. New rows appear by themselves only while one page is loaded, so that no row
 * moves under the pointer. Otherwise `hasNews` is true.
 */
export function useRecords(
  kind: RecordKind,
  search: ListSearch,
  visible: RefObject<{ first: number; last: number }>,
) {
  const { orgId, mode, api } = useScope()
  const queries = useQueryClient()
  const { apiOf } = kind
  const asked = queryOf(search)
  const key = [...listsKey(kind, orgId), asked]
  const pollKey = ['poll', ...key]
  const early = keyOf(orgId, mode, kind.resource, asked)
  // If the first records are here already, draw them at once. Not as the query's initial data: it would have them again when
  // the list is read again.
  useState(() => {
    const first = answeredEarly(early) as RecordPage | undefined
    if (first) queries.setQueryData(key, { pages: [first], pageParams: [''] })
  })
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam, signal }): Promise<RecordPage> => {
      const first = pageParam ? null : await takeEarly(early)?.answer
      if (first) return first as RecordPage
      const page: RecordPage = await apiOf(api).search(
        { ...asked, limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        { signal },
      )
      // The list was read again, such as after a change of many records: its total is newer than that of the poll.
      if (!pageParam)
        queries.setQueriesData<Polled>(
          { queryKey: pollKey, exact: true },
          (polled) => polled && { ...polled, head: page, records: [] },
        )
      return page
    },
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    // The poll keeps the list up to date. Reading all loaded pages again would take too long.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const rows = useMemo(() => uniqueRows(kind, list.data?.pages ?? []), [kind, list.data])
  const poll = useQuery({
    queryKey: pollKey,
    queryFn: async ({ signal }): Promise<Polled> => {
      const began = performance.now()
      const head: RecordPage = await apiOf(api).search({ ...asked, limit: pageSize }, { signal })
      const { first, last } = visible.current
      const seen = rows.slice(Math.max(first, pageSize), last + 1).map((row) => idOf(kind, row))
      const found =
        seen.length === 0 ? [] : await apiOf(api).batchRead({ ids: seen.slice(0, 500) }, { signal })
      const records = found.flatMap(({ record }) => record ?? [])
      return { head, records, tookMs: performance.now() - began }
    },
    enabled: list.isSuccess && !list.isPlaceholderData,
    // The list was just read, so the first poll comes after the interval.
    initialData: () => {
      const head = list.isPlaceholderData ? undefined : list.data?.pages[0]
      return head && { head, records: [], tookMs: 0 }
    },
    initialDataUpdatedAt: list.dataUpdatedAt,
    refetchInterval: ({ state }) => Math.max(pollMs, (state.data?.tookMs ?? 0) * idleShare),
    staleTime: pollMs,
    structuralSharing: false,
    gcTime: 0,
  })
  const { data: polled } = poll
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each poll
  useEffect(() => {
    if (!polled || polled.head === list.data?.pages[0]) return
    storeRecords(kind, orgId, [...polled.head.data, ...polled.records])
    queries.setQueryData<InfiniteData<RecordPage>>(key, (loaded) =>
      loaded?.pages.length === 1 ? { ...loaded, pages: [polled.head] } : loaded,
    )
  }, [polled])
  const isMissing = poll.error instanceof ApiError && poll.error.status === 404
  useEffect(() => {
    // Somebody deleted the segment of the list. The page says so when it has read the segments again.
    if (isMissing) void rereadSegments(orgId)
  }, [isMissing, orgId])
  const loaded = list.isPlaceholderData ? undefined : list.data?.pages
  const total = polled?.head.pagination.total ?? list.data?.pages.at(-1)?.pagination.total ?? 0
  const first = (page: RecordPage | undefined) => page?.data[0] && idOf(kind, page.data[0])
  const hasNews =
    (loaded?.length ?? 0) > 1 &&
    polled !== undefined &&
    (total !== loaded?.at(-1)?.pagination.total || first(polled.head) !== first(loaded[0]))
  const isFailing = (poll.isError && !isMissing) || poll.isPaused || list.isPaused
  return { list, rows, total, hasNews, key, isFailing }
}

/** A record that moved while pages were loaded can be on two pages. The first one counts. */
function uniqueRows(kind: RecordKind, pages: readonly RecordPage[]): readonly ShownRecord[] {
  const seen = new Set<string>()
  return pages
    .flatMap(({ data }) => data)
    .filter((row) => {
      const id = idOf(kind, row)
      return !seen.has(id) && seen.add(id)
    })
}
