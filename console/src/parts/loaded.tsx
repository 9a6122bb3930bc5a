import { type ReactNode, useEffect, useState } from 'react'
import { ProblemView } from './problem-view.tsx'
import { Skeleton } from './skeleton.tsx'

/** Shows what a query read; before that lines that stand still, and after a failure the reason. */
export function Loaded<Data>({
  query,
  rows = 5,
  children,
}: {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** How many lines stand there, if more of the page follows: about as high as what is read, so that little moves. */
  rows?: number
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ProblemView error={query.error} onRetry={() => void query.refetch()} />
  return <LateSkeleton rows={rows} />
}

/** A skeleton after 200 ms: a quick answer does not flicker. Its place is kept from the start, so that nothing below it moves. */
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
