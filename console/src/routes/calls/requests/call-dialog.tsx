import { useState } from 'react'
import { ApiError } from '../../../../../sdk/src/errors.ts'
import type { CallBackRequest } from '../../../../../sdk/src/generated/types.ts'
import { TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Note } from '../../../parts/note.tsx'
import { phoneWords } from '../../../parts/phone-number.ts'
import { Time } from '../../../parts/time.tsx'
import { useScope } from '../../../shell/scope.tsx'
import type { Callee } from '../call-queries.ts'
import { Refused } from '../refused.tsx'
import { useDecision } from './use-decision.ts'
import { reasonWords } from './words.ts'

/** Asks before it calls a person who asked for it. */
export function CallDialog({
  request,
  callee,
  onClose,
  onCalled,
  onTooLate,
}: {
  request: CallBackRequest
  callee: Callee | undefined
  onClose: () => void
  onCalled: (callId: string | null) => void
  onTooLate: (text: string) => void
}) {
  const { mode, api } = useScope()
  const { request_id: requestId, form_name: formName, reason, created_at, call_at } = request
  const number = phoneWords(request.number)
  const [timezone, setTimezone] = useState('')
  const form = useDecision(
    async () => {
      const zone = timezone.trim()
      const call = await api.callBackRequests.approve(requestId, zone ? { timezone: zone } : {})
      onCalled(call.call_id)
    },
    onTooLate,
    ['timezone'],
  )
  return (
    <FormDialog
      title={`Call ${callee && callee.name !== number ? `${callee.name} at ${number}` : number}?`}
      act={`Call ${number}`}
      icon="phone"
      form={{ ...form, rest: null }}
      startsAtCancel
      isDraft={false}
      onClose={onClose}
    >
      <p className="two">
        Somebody asked for this call with “{formName}” <Time at={created_at} />. An AI agent calls the number
        now, and first asks whether this person asked for it.
        {call_at !== null && ' The scheduled call is then not made.'}
        {mode === 'test' && ' No phone rings: the simulator takes calls of test mode.'}
      </p>
      {reason !== null && <p className="two">It waits for you because: {reasonWords(reason)}</p>}
      <TextField
        label="Time zone of the person (optional)"
        value={timezone}
        onChange={setTimezone}
        error={form.errorAt('timezone')}
        placeholder="America/New_York"
        hint="Without it, the hours of the form must be open in every time zone of the country."
        autoComplete="off"
      />
      {form.rest && (
        <Note kind="bad">
          <Refused error={form.error} text={form.rest} number={request.number} />
          {isClosed(form.error) &&
            !timezone.trim() &&
            ' If you know where the person is, name the time zone.'}
        </Note>
      )}
    </FormDialog>
  )
}

const isClosed = (error: unknown) => error instanceof ApiError && error.code === 'outside_calling_hours'
