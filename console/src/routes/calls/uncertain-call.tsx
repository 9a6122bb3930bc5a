import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PlaceCall } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { phoneWords } from '../../parts/phone-number.ts'
import { now } from '../../parts/times.ts'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { callState } from './words.ts'

/** A call whose answer was lost. */
export type Uncertain = {
  body: PlaceCall
  /** The Idempotency-Key of the request: sent again with it, the server dials at most once. */
  key: string
  /** When the request was sent, in Unix seconds. */
  since: number
}

const pollMs = 2_000
/** After this time, the request no longer arrives: each try takes at most 30 s. */
const lostAfterSeconds = 45
/** The clocks of this computer and of the server may differ. */
const clockSeconds = 120

/** Says that it is not known whether a phone rang, until the list of calls has the call. */
export function UncertainCall({
  uncertain: { body, key, since },
  onFound,
  onClose,
}: {
  uncertain: Uncertain
  onFound: () => void
  onClose: () => void
}) {
  const { orgId, mode, api } = useScope()
  const found = useQuery({
    queryKey: ['uncertain-call', orgId, mode, key],
    queryFn: async ({ signal }) => {
      const query = { to_number: body.to_number, created_since: Math.floor(since) - clockSeconds, limit: 20 }
      const { data } = await api.voice.calls.list(query, { signal, maxRetries: 0 })
      const call = data.find(({ metadata }) => metadata.console_key === key) ?? null
      return { call, at: now() }
    },
    refetchInterval: ({ state }) => (state.data?.call ? false : pollMs),
    retry: false,
  })
  const again = useSubmit(async () => api.voice.calls.place(body, { idempotencyKey: key }), {
    onDone: onFound,
  })
  const call = found.data?.call ?? null
  const number = phoneWords(body.to_number)
  const [isToastShown, setToastShown] = useState(false)
  useEffect(() => {
    if (!call || isToastShown) return
    setToastShown(true)
    showToast(`The call to ${number} was placed: ${callState(call).word}.`)
    onFound()
  }, [call, isToastShown, number, onFound])
  const isLost = !call && found.data !== undefined && found.data.at - since > lostAfterSeconds
  return (
    <div className="pad">
      <Note kind="warn">
        <div className="stack">
          {isLost ? (
            <p>
              <b>{number} was not called.</b> The list of calls does not have it: the server did not get the
              request.
            </p>
          ) : (
            <p>
              <b>It is not known whether {number} rang.</b> The server did not answer. This page reads the
              list of calls until it has the call. Do not place the call again.
            </p>
          )}
          {again.rest && <p className="bad">{again.rest}</p>}
          {isLost && (
            <div className="rail">
              <Button isBusy={again.isBusy} onClick={() => again.submit()}>
                Call {number} now
              </Button>
              <Button kind="quiet" onClick={onClose}>
                Close
              </Button>
            </div>
          )}
        </div>
      </Note>
    </div>
  )
}
