import { useId, useState } from 'react'
import type { WebhookAttempt } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Code } from '../../../parts/code.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { DisclosureButton } from '../../../parts/disclosure.tsx'
import { duration } from '../../../parts/numbers.ts'
import { RowActions, RowDetails } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { fullTime } from '../../../parts/times.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import styles from './attempt-row.module.css'
import { Outcome } from './outcome.tsx'

/** Shows one request, and on demand its whole answer. */
export function AttemptRow({
  attempt,
  ownOrgId,
  canResend,
  onResend,
}: {
  attempt: WebhookAttempt
  ownOrgId: string
  /** False while the endpoint is disabled. */
  canResend: boolean
  onResend: (() => Promise<void>) | null
}) {
  const { type, number, outcome, status, error, response_excerpt, duration_ms, created_at } = attempt
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const answer = [status ?? '', error ?? '', response_excerpt ?? ''].filter(Boolean).join(' · ')
  const { submit, isBusy } = useSubmit(async () => onResend?.())
  const button = onResend && (
    <Button
      kind={outcome === 'exhausted' ? 'plain' : 'quiet'}
      data-shy={outcome === 'exhausted' ? undefined : ''}
      isBusy={isBusy}
      disabled={!canResend}
      title={canResend ? undefined : 'Enable the endpoint first'}
      aria-label={`Resend ${type}, ${fullTime(created_at)}`}
      onClick={() => submit()}
    >
      Resend
    </Button>
  )
  return (
    <>
      <tr>
        <th scope="row">
          <span className="rail">
            <DisclosureButton isOpen={isOpen} onChange={setOpen} controls={id}>
              <span className="mono cut">{type}</span>
            </DisclosureButton>
            {number > 1 && <span className="three t12">try {number}</span>}
          </span>
        </th>
        <td>
          <Outcome outcome={outcome} />
        </td>
        <td className="opt">{answer || '–'}</td>
        <td className="opt">{duration(duration_ms)}</td>
        <td>
          <Time at={created_at} />
        </td>
        <td className="opt">
          <RowActions>{button}</RowActions>
        </td>
      </tr>
      {isOpen && (
        <RowDetails id={id}>
          <div className="stack">
            <p>
              Sent {fullTime(created_at)}, try {number}.{' '}
              {status === null
                ? `No answer after ${duration(duration_ms)}.`
                : `It answered ${status} after ${duration(duration_ms)}.`}
              {error && ` Reason: ${error}.`}
            </p>
            {response_excerpt && <Code label="The beginning of the answer">{response_excerpt}</Code>}
            <div className="rail wrap t12">
              <span>
                Event <span className="mono">{attempt.event_id}</span>
              </span>
              <CopyButton text={attempt.event_id} />
              {attempt.org_id !== ownOrgId && (
                <span>
                  of the client <span className="mono">{attempt.org_id}</span>
                </span>
              )}
              <span className={styles.phone}>{button}</span>
            </div>
          </div>
        </RowDetails>
      )}
    </>
  )
}
