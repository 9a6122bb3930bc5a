import { useState } from 'react'
import type { WebhookEndpoint, WebhookReplay } from '../../../../../sdk/src/generated/types.ts'
import { Checkbox, TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { now } from '../../../parts/times.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { TypesField } from './types-field.tsx'

/** Asks which events an endpoint gets again. */
export function ReplayDialog({
  endpoint,
  onClose,
  onStarted,
}: {
  endpoint: WebhookEndpoint
  onClose: () => void
  onStarted: (replay: WebhookReplay) => void
}) {
  const { api } = useScope()
  const [from, setFrom] = useState(() => localTime(now() - 86_400))
  const [to, setTo] = useState(() => localTime(now() + 60))
  const [types, setTypes] = useState<string[]>(['*'])
  const [failedOnly, setFailedOnly] = useState(false)
  const form = useSubmit(
    async () =>
      api.webhooks.replays.create(endpoint.endpoint_id, {
        from: secondsOf(from),
        to: secondsOf(to),
        types: types.includes('*') ? undefined : types,
        failed_only: failedOnly,
      }),
    { places: ['from', 'to', 'types'], onDone: onStarted },
  )
  const errorAt = (place: 'from' | 'to', text: string) =>
    form.errorAt(place) && (text === '' ? 'Choose a day and a time.' : form.errorAt(place))
  return (
    <FormDialog title="Send the events of a period again" act="Send again" form={form} onClose={onClose} wide>
      <p className="two">
        The events keep their ids, so that a receiver can skip those that it knows. New events are sent
        meanwhile.
      </p>
      <div className="rail wrap g16" style={{ alignItems: 'flex-start' }}>
        <TextField
          label="From"
          type="datetime-local"
          value={from}
          onChange={setFrom}
          error={errorAt('from', from)}
          autoFocus
        />
        <TextField label="To" type="datetime-local" value={to} onChange={setTo} error={errorAt('to', to)} />
      </div>
      <TypesField
        value={types}
        onChange={setTypes}
        allText="All that the endpoint gets"
        error={form.errorAt('types')}
      />
      <Checkbox checked={failedOnly} onChange={setFailedOnly}>
        Only events that failed at every try within the last 7 days
      </Checkbox>
    </FormDialog>
  )
}

/** The value of a `datetime-local` field for a time: 2026-11-23T09:30, on the clock of this computer. */
function localTime(at: number): string {
  const date = new Date(at * 1000)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Unix seconds. Returns an invalid text unchanged, so that the server can explain the problem. */
function secondsOf(text: string): number {
  const milliseconds = new Date(text).getTime()
  return Number.isNaN(milliseconds) ? (text as unknown as number) : Math.floor(milliseconds / 1000)
}
