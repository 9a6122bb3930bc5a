import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SignatureRollout } from '../../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../../api/live.ts'
import { problemOf } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { DisclosureButton } from '../../../parts/disclosure.tsx'
import { count } from '../../../parts/numbers.ts'
import { State } from '../../../parts/state.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { mailboxWords } from './push-dialog.tsx'
import styles from './rollout.module.css'
import { UnfinishedPushes } from './unfinished-pushes.tsx'

/** The progress of a push to all mailboxes of a template, and the mailboxes that need somebody. */
export function Rollout({
  rolloutId,
  onMoved,
  onClose,
}: {
  rolloutId: string
  /** Called for each change of the progress. */
  onMoved: () => void
  onClose: () => void
}) {
  const { orgId, mode, api } = useScope()
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['signature-rollout', orgId, mode, rolloutId],
    queryFn: ({ signal }) => api.signatures.rollouts.get(rolloutId, { signal }),
    refetchInterval: liveInterval(({ status }: SignatureRollout) => status === 'running', 15_000),
  })
  const moved = data && JSON.stringify(data.counts)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the progress matters, not a new function
  useEffect(() => {
    if (moved) onMoved()
  }, [moved])
  if (!data && !error) return null
  const close = <Button kind="quiet" icon="close" aria-label="Close" onClick={onClose} />
  if (!data)
    return (
      <section className={styles.strip} aria-label="Push">
        <span className="grow two">{problemOf(error).text}</span>
        {close}
      </section>
    )
  const { status, counts, version } = data
  const ended = counts.installed + counts.failed + counts.manual_pending
  const needy = counts.failed + counts.manual_pending
  return (
    <section className={styles.strip} aria-label="Push">
      <div className="grow stack">
        <div className="rail wrap">
          <span role="status">
            <State kind={status === 'running' ? 'run' : needy > 0 ? 'warn' : 'ok'}>
              Version {count(version)} is installed in {count(counts.installed)} of{' '}
              {mailboxWords(counts.mailboxes)}
            </State>
          </span>
          {counts.failed > 0 && <span className="bad">{count(counts.failed)} failed</span>}
          {counts.manual_pending > 0 && <span className="warn">{waitingWords(counts.manual_pending)}</span>}
          {needy > 0 && (
            <DisclosureButton isOpen={isOpen} onChange={setOpen} controls="unfinished-pushes">
              Show {needy === 1 ? 'it' : 'them'}
            </DisclosureButton>
          )}
        </div>
        {status === 'running' && (
          <progress aria-label="Progress of the push" max={counts.mailboxes} value={ended} />
        )}
        {isOpen && needy > 0 && (
          <div id="unfinished-pushes">
            <UnfinishedPushes rolloutId={rolloutId} counts={counts} onPushed={onMoved} />
          </div>
        )}
      </div>
      {close}
    </section>
  )
}

const waitingWords = (number: number) =>
  number === 1 ? '1 waits for its owner' : `${count(number)} wait for their owners`
