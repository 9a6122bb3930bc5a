import type { WriteKey } from '../../../../../sdk/src/generated/types.ts'
import { State } from '../../../parts/state.tsx'
import { Time } from '../../../parts/time.tsx'
import { durationWords, now } from '../../../parts/times.ts'
import { Link } from '../../../routing/link.tsx'
import { useScope } from '../../../shell/scope.tsx'

/** A page that people visit sends events at least once a day. */
const quietSeconds = 86_400

/** Shows whether events arrive with the key, and when the last one arrived. */
export function LastEvent({ writeKey: { last_seen_at: at, mode } }: { writeKey: WriteKey }) {
  const { orgId } = useScope()
  const age = at === null ? 0 : now() - at
  return (
    <div className="rail wrap">
      {/* Screen readers read the text aloud only when it changes, which is rare. */}
      <span role="status">
        {at === null ? (
          <State kind="run">Waiting for the first event</State>
        ) : age < quietSeconds ? (
          <State kind="ok">Events arrive</State>
        ) : (
          <State kind="warn">No event for {durationWords(age)}</State>
        )}
      </span>
      {at !== null && (
        <>
          <span className="two">
            last event <Time at={at} />
          </span>
          <Link className="link" to="/o/$orgId/web-events" params={{ orgId }} search={{ events: mode }}>
            See what arrives
          </Link>
        </>
      )}
    </div>
  )
}
