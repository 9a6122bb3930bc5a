import { useState } from 'react'
import type { EventType, WebhookEndpoint, WebhookTest } from '../../../../../sdk/src/generated/types.ts'
import { Code } from '../../../parts/code.tsx'
import { Select } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Note } from '../../../parts/note.tsx'
import { duration } from '../../../parts/numbers.ts'
import { State } from '../../../parts/state.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { useEventTypes } from '../../../shell/use-event-types.ts'

/** Sends a sample event, and shows the answer of the endpoint. */
export function TestDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { api, can } = useScope()
  const types = useEventTypes()
  const offered = (types.data ?? []).filter(
    ({ type, permissions }) => permissions.some(can) && isWanted(endpoint.types, type),
  )
  const [chosen, setChosen] = useState<EventType | null>(null)
  const [result, setResult] = useState<WebhookTest | null>(null)
  const type = chosen ?? offered[0]?.type ?? 'contact.created'
  const form = useSubmit(
    async () => {
      setResult(null)
      return api.webhooks.endpoints.test(endpoint.endpoint_id, { type })
    },
    { places: ['type'], onDone: setResult },
  )
  return (
    <FormDialog
      title="Send a test"
      act={result ? 'Send again' : 'Send'}
      icon="push"
      cancel="Close"
      form={form}
      isBlocked={offered.length === 0}
      isDraft={false}
      onClose={onClose}
    >
      <p className="two">
        Sends a signed sample event to <span className="mono">{endpoint.url}</span> now
        {endpoint.status === 'disabled' ? ', although the endpoint is disabled' : ''}. The list of attempts
        does not show it.
      </p>
      <Loaded query={types}>
        {() =>
          offered.length === 0 ? (
            <Note kind="warn">
              Your role may read none of the events that this endpoint gets. Ask an owner or admin to send the
              test.
            </Note>
          ) : (
            <Select
              label="Type of the event"
              value={type}
              options={offered.map(({ type }) => [type, type] as const)}
              onChange={(type) => {
                setChosen(type)
                setResult(null)
              }}
              error={form.errorAt('type')}
              autoFocus
            />
          )
        }
      </Loaded>
      <div role="status" className="stack">
        {form.isBusy && <State kind="run">Waiting for the answer, at most 15 s</State>}
        {result && <Result result={result} />}
      </div>
    </FormDialog>
  )
}

function Result({
  result: { outcome, status, duration_ms, error, response_excerpt },
}: {
  result: WebhookTest
}) {
  const time = duration(duration_ms)
  return (
    <>
      {outcome === 'delivered' ? (
        <State kind="ok">
          Delivered: it answered {status} after {time}
        </State>
      ) : status === null ? (
        <State kind="bad">No answer after {time}</State>
      ) : (
        <State kind="bad">
          Not delivered: it answered {status} after {time}
        </State>
      )}
      {error && <p className="two">Reason: {error}.</p>}
      {outcome !== 'delivered' && status !== null && (
        <p className="two">Only answers from 200 to 299 count as delivered.</p>
      )}
      {response_excerpt && <Code label="The beginning of the answer">{response_excerpt}</Code>}
    </>
  )
}

const isWanted = (wanted: readonly string[], type: string) =>
  wanted.some((one) => one === '*' || one === type || one === `${type.slice(0, type.indexOf('.'))}.*`)
