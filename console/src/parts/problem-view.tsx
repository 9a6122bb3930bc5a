import { problemOf } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

/** Shown by a page that could not read its data. */
export function ProblemView({
  error,
  isRetrying = false,
  onRetry,
}: {
  error: unknown
  isRetrying?: boolean
  onRetry?: () => void
}) {
  const { kind, title, text, requestId } = problemOf(error)
  return (
    <div role="alert">
      <Empty icon={kind === 'offline' ? 'globe' : 'alert'} title={title}>
        <p className="two">{text}</p>
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
