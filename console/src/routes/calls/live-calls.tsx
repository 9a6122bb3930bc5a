import type { Call } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { phoneWords } from '../../parts/phone-number.ts'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { useCallees } from './call-queries.ts'
import styles from './page.module.css'
import { callState, canBeEnded, isUnderWay } from './words.ts'

/** The calls that run now, each with a button that ends it. Shows nothing if there are none. */
export function LiveCalls({ calls, onChanged }: { calls: readonly Call[]; onChanged: () => void }) {
  const live = calls.filter(isUnderWay)
  const callees = useCallees(live.map(({ to_number }) => to_number))
  if (live.length === 0) return null
  return (
    <section className={styles.live} aria-label="Running calls">
      <ul className="stack g12">
        {live.map((call) => {
          const { kind, word } = callState(call)
          const number = call.to_number ?? 'an erased number'
          return (
            <li key={call.call_id} className="rail wrap g16">
              <span className="strong">{callees.get(number)?.name ?? phoneWords(number)}</span>
              {callees.has(number) && <span className="two t12">{phoneWords(number)}</span>}
              <State kind={kind}>{word}</State>
              <span className="two t12">
                placed <Time at={call.created_at} />
              </span>
              <span className="cut grow two opt">{call.instructions}</span>
              <EndButton
                call={call}
                of={callees.get(number)?.name ?? phoneWords(number)}
                onChanged={onChanged}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Ends a call that waits, rings or was answered. */
export function EndButton({
  call,
  of,
  onChanged,
}: {
  call: Call
  /** The person of the call. Screen readers say it after the label. Set it if a list repeats the button. */
  of?: string
  onChanged: () => void
}) {
  const { api, can } = useScope()
  const { submit, isBusy } = useSubmit(async () => {
    try {
      const { status } = await api.voice.calls.cancel(call.call_id)
      showToast(status === 'canceled' ? 'The call is ended.' : `The call is ${callState({ status }).word}.`)
    } catch (error) {
      showToast(`The call was not ended: ${problemOf(error).text}`, 'bad')
    }
    onChanged()
  })
  if (!can('voice:write') || !canBeEnded(call)) return null
  return (
    <Button
      danger
      icon="cross"
      aria-label={of && `End the call to ${of}`}
      isBusy={isBusy}
      onClick={() => submit()}
    >
      End the call
    </Button>
  )
}
