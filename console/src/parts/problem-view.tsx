import { problemOf } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

/**
 * Shown by a page that could not read its data.
 * @param seen says which records the person may see; shown if data was not found, because it may exist for others
 */
export function ProblemView({
  error,
  seen,
  isRetrying = false,
  onRetry,
}: {
  error: unknown
  seen?: string | undefined
  isRetrying?: boolean
  onRetry?: () => void
}) {
  const { kind, title, text, requestId } = problemOf(error)
  const isHidden = kind === 'missing' && seen !== undefined
  return (
    <div role="alert">
      <Empty
        icon={kind === 'offline' ? 'globe' : 'alert'}
        title={isHidden ? 'This does not exist, or you may not see it' : title}
      >
        <p className="two">{isHidden ? seen : text}</p>
        {requestId && kind === 'failed' && (
          <p className="three t12">
            Request id <span className="mono">{requestId}</span>
          </p>
        )}
        {onRetry && kind !== 'forbidden' && kind !== 'missing' && (
          <Button isBusy={isRetrying} onClick={onRetry}>
            Try again
          </Button>
        )}
      </Empty>
    </div>
  )
}
