import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import type { BulkChange } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { type Submit, useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'
import { reloadLists } from '../record-queries.ts'

const pollMs = 1_000
const retryMs = 5_000

/** How far a change of all records is, and the way to stop it. */
export type RunningChange = {
  progress: BulkChange | undefined
  hasEnded: boolean
  /** Why the progress could not be read; null: it was read. */
  problem: string | null
  /** Whether the server knows no such change any more. */
  isGone: boolean
  stop: Submit
}

/** Reads a change of all records until it ends. Then the lists are read again. @param id null: none has begun */
export function useBulkChange(kind: RecordKind, id: string | null): RunningChange {
  const { api, orgId } = useScope()
  const queries = useQueryClient()
  const queryKey = ['bulk change', orgId, id]
  const read = useQuery({
    queryKey,
    queryFn: async ({ signal }) => api.bulkChanges.get(id ?? '', { signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data?.ended_at || isMissing(state.error) ? false : state.error ? retryMs : pollMs,
  })
  const stop = useSubmit(
    async () => {
      try {
        return await api.bulkChanges.cancel(id ?? '')
      } catch (error) {
        // It ended before it could be stopped: show how.
        if (error instanceof ApiError && error.code === 'job_already_ended')
          return api.bulkChanges.get(id ?? '')
        throw error
      }
    },
    { onDone: (change) => queries.setQueryData(queryKey, change) },
  )
  const progress = read.data
  const hasEnded = progress !== undefined && progress.ended_at !== null
  useEffect(() => {
    if (hasEnded) void reloadLists(kind, orgId)
  }, [hasEnded, kind, orgId])
  return {
    progress,
    hasEnded,
    problem: read.error && problemOf(read.error).text,
    isGone: isMissing(read.error),
    stop,
  }
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404
