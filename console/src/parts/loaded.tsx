import { type ReactNode, useEffect, useState } from 'react'
import { limitSeconds } from '../api/rate-limit.ts'
import { Note } from './note.tsx'
import { ProblemView } from './problem-view.tsx'
import { Skeleton } from './skeleton.tsx'

/**
 * Shows the data of a query; a skeleton before that; after a failure, the reason. While the rate limit or a lost
 * connection stops the query, it says so.
 */
export function Loaded<Data>({
  query,
  rows = 5,
  seen,
  children,
}: {
  query: {
    data: Data | undefined
    error: unknown
    errorUpdateCount?: number
    failureReason?: unknown
    isFetching?: boolean
    isPaused?: boolean
    refetch: () => unknown
  }
  /**
   * The number of lines of the skeleton, if more content follows. Choose about the height of the data, so that the
   * content below hardly moves.
   */
  rows?: number
  /** Says which records the person may see. Shown if data was not found, because it may exist for others. */
  seen?: string | undefined
  children: (data: Data) => ReactNode
}) {
  const error = useLastError(query)
  if (query.data !== undefined) return children(query.data)
  if (error)
    return (
      <ProblemView
        error={error}
        seen={seen}
        isRetrying={query.isFetching ?? false}
        onRetry={() => void query.refetch()}
      />
    )
  const seconds = limitSeconds(query.failureReason)
  return (
    <>
      {seconds !== null && (
        <Note kind="warn">
          Crosswalk limits the requests of a person. This page continues in at most {seconds} s.
        </Note>
      )}
      {query.isPaused && (
        <Note kind="warn">Your browser is offline. This page continues when the connection is back.</Note>
      )}
      <LateSkeleton rows={rows} />
    </>
  )
}

/**
 * The error of the last try, even during the next one. Otherwise, a page that polls would show the error and the skeleton
 * in turns, and the button would lose the focus.
 */
function useLastError({ error, errorUpdateCount = 0 }: { error: unknown; errorUpdateCount?: number }) {
  const [last, setLast] = useState<unknown>(null)
  if (error && error !== last) setLast(error)
  return error ?? (errorUpdateCount > 0 ? last : null)
}

/**
 * A skeleton that appears after 200 ms, so that a quick answer does not flicker. It takes its space at once, so that
 * nothing below it moves.
 */
function LateSkeleton({ rows }: { rows: number }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setLate, 200, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div style={isLate ? undefined : { visibility: 'hidden' }}>
      <Skeleton rows={rows} />
    </div>
  )
}
