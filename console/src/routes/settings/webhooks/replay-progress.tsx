import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { WebhookReplay } from '../../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../../api/live.ts'
import { problemOf } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { count } from '../../../parts/numbers.ts'
import { State } from '../../../parts/state.tsx'
import { fullTime } from '../../../parts/times.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import styles from './replay-progress.module.css'

const kinds = { running: 'run', finished: 'ok', canceled: 'off' } as const
const words = { running: 'Sending again', finished: 'Sent again', canceled: 'Canceled' }

/** The progress of a replay. */
export function ReplayProgress({
  replayId,
  mayCancel,
  onMoved,
  onClose,
}: {
  replayId: string
  mayCancel: boolean
  /** Called for each change of the progress. */
  onMoved: () => void
  onClose: () => void
}) {
  const { orgId, mode, api } = useScope()
  const queries = useQueryClient()
  const queryKey = ['webhook-replay', orgId, mode, replayId]
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.webhooks.replays.get(replayId, { signal }),
    refetchInterval: liveInterval(({ status }: WebhookReplay) => status === 'running', false),
  })
  const { submit, isBusy, rest } = useSubmit(async () => api.webhooks.replays.cancel(replayId), {
    onDone: (replay) => queries.setQueryData(queryKey, replay),
  })
  const moved = data && `${data.status} ${data.sent}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the progress matters, not a new function
  useEffect(() => {
    if (moved) onMoved()
  }, [moved])
  if (!data && !error) return null
  return (
    <section className={styles.strip} aria-label="Events sent again">
      {data ? (
        <>
          <div className="rail wrap grow">
            <span role="status">
              <State kind={kinds[data.status]}>
                {words[data.status]}: {data.sent === 1 ? '1 event' : `${count(data.sent)} events`}
                {data.status === 'running' ? ' so far' : ''}
              </State>
            </span>
            <span className="two t12">
              of {fullTime(data.from)} to {fullTime(data.to)}
              {data.failed_only && ', only those that failed at every try'}
              {data.types && `, ${data.types.join(', ')}`}
            </span>
            {rest && <span className="bad t12">{rest}</span>}
          </div>
          {data.status === 'running' && mayCancel ? (
            <Button isBusy={isBusy} onClick={() => submit()}>
              Cancel
            </Button>
          ) : (
            <Button kind="quiet" icon="close" aria-label="Close" onClick={onClose} />
          )}
        </>
      ) : (
        <>
          <span className="grow two">{problemOf(error).text}</span>
          <Button kind="quiet" icon="close" aria-label="Close" onClick={onClose} />
        </>
      )}
    </section>
  )
}
