import type { WebhookDisabledReason, WebhookEndpoint } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { Time } from '../../../parts/time.tsx'
import { durationWords, now } from '../../../parts/times.ts'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import type { EndpointAction } from './endpoint-dialogs.tsx'

const reasons: Record<WebhookDisabledReason, string> = {
  by_request: 'A person or a program disabled it.',
  gone: 'It answered 410 (gone), so Crosswalk disabled it.',
  no_success: 'No request succeeded for 5 days, so Crosswalk disabled it.',
  member_left:
    'The person or agency who made it left the organization, so Crosswalk disabled it. If you enable it, it sends only the objects that your role may read.',
  segment_invalid:
    'The filter of its segment is not valid any more, so Crosswalk disabled it. Repair the filter, and then enable the endpoint.',
}

/**
 * Explains the problem of an endpoint: what failed, that no event is lost, and what to do. Shows nothing if the
 * endpoint works.
 */
export function EndpointNotice({
  endpoint,
  onOpen,
  onChanged,
}: {
  endpoint: WebhookEndpoint
  onOpen: ((open: EndpointAction) => void) | null
  onChanged: () => void
}) {
  const { api } = useScope()
  const { endpoint_id, status, disabled_reason, disabled_at, failures, next_probe_at } = endpoint
  const { submit, isBusy, rest } = useSubmit(async () => api.webhooks.endpoints.enable(endpoint_id), {
    onDone: () => {
      showToast('Crosswalk tries it again now.')
      onChanged()
    },
  })
  if (status === 'enabled') return null
  if (status === 'disabled')
    return (
      <Note kind={disabled_reason === 'by_request' ? undefined : 'warn'}>
        <div className="stack">
          <p>
            {disabled_reason === null ? '' : reasons[disabled_reason]} It gets nothing
            {disabled_at !== null && (
              <>
                {' '}
                since <Time at={disabled_at} />
              </>
            )}
            . You can send the events of the last 30 days when you enable it.
          </p>
          {onOpen && (
            <span>
              <Button onClick={() => onOpen('enable')}>Enable it</Button>
            </span>
          )}
        </div>
      </Note>
    )
  const since = endpoint.last_success_at ?? endpoint.created_at
  return (
    <Note kind="warn">
      <div className="stack">
        <p>
          The last {count(failures)} requests failed. Nothing was delivered for {durationWords(now() - since)}
          . No event is lost: all events wait until one try succeeds.{' '}
          {next_probe_at !== null &&
            (next_probe_at - now() < 1
              ? 'The next try is due now.'
              : `The next try follows in ${durationWords(next_probe_at - now())}.`)}
        </p>
        {rest && <p className="bad">{rest}</p>}
        {onOpen && (
          <span>
            <Button isBusy={isBusy} onClick={() => submit()}>
              Try now
            </Button>
          </span>
        )}
      </div>
    </Note>
  )
}
