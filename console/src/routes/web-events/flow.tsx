import { Button } from '../../parts/button.tsx'
import { State } from '../../parts/state.tsx'

/** `open`: the list stays as it is while a person reads an event. `failing`: the last poll had no answer. */
export type FlowState = 'moving' | 'paused' | 'open' | 'failing'

/** Whether new events appear by themselves, and the button that changes it. */
export function Flow({ state, onToggle }: { state: FlowState; onToggle: () => void }) {
  const isStopped = state === 'paused' || state === 'open'
  return (
    <>
      <span role="status">
        {state === 'moving' && <State kind="ok">Live</State>}
        {state === 'paused' && <State kind="off">Paused</State>}
        {state === 'open' && (
          <State kind="off">
            <span>
              Paused<span className="opt"> while an event is open</span>
            </span>
          </State>
        )}
        {state === 'failing' && (
          <State kind="warn">
            <span>
              No answer<span className="opt">, trying again</span>
            </span>
          </State>
        )}
      </span>
      <Button icon={isStopped ? 'play' : 'pause'} shortcut="P" onClick={onToggle}>
        {isStopped ? 'Resume' : 'Pause'}
      </Button>
    </>
  )
}
