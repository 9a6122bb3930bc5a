import { useQuery } from '@tanstack/react-query'
import type { Event } from '../../../../sdk/src/generated/types.ts'
import { actorWords, eventIcon, eventWords } from '../../parts/event-words.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Time } from '../../parts/time.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './recent.module.css'

/** How many events are read, and how many lines are shown. */
const [read, shown] = [60, 12]

type Line = Pick<Event, 'event_id' | 'type' | 'actor' | 'created_at'> & {
  times: number
  /** Whether older events, which were not read, may belong to the line. */
  isOpen: boolean
}

/** The events, newest first. Successive events of one type by one actor are one line. */
function linesOf(events: readonly Event[], hasOlder: boolean): Line[] {
  const lines: Line[] = []
  for (const { event_id, type, actor, created_at } of events) {
    const last = lines.at(-1)
    if (last?.type === type && last.actor.kind === actor.kind && last.actor.id === actor.id) last.times += 1
    else lines.push({ event_id, type, actor, created_at, times: 1, isOpen: false })
  }
  const oldest = lines.at(-1)
  if (oldest) oldest.isOpen = hasOlder
  return lines.slice(0, shown)
}

/** The latest events. */
export function Recent() {
  const { orgId, mode, api } = useScope()
  const events = useQuery({
    queryKey: ['recent-events', orgId, mode],
    queryFn: ({ signal }) => api.events.list({ limit: read }, { signal }),
    refetchInterval: 15_000,
  })
  return (
    <div className="pad stack g16">
      <div className="rail">
        <h2>Recent</h2>
        <Link className="link t12 end" to="/o/$orgId/events" params={{ orgId }}>
          All events
        </Link>
      </div>
      <Loaded query={events}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <p className="two">Nothing has happened yet.</p>
          ) : (
            <ol className={styles.feed}>
              {linesOf(data, pagination.has_next).map(
                ({ event_id, type, actor, created_at, times, isOpen }) => (
                  <li key={event_id}>
                    <Icon name={eventIcon(type)} />
                    <p>
                      <b className="strong">{actorWords(actor)}</b>: {eventWords(type)}
                      {times > 1 && (
                        <span className="three">
                          , {times}
                          {isOpen && '+'}&nbsp;times
                        </span>
                      )}
                    </p>
                    <Time at={created_at} />
                  </li>
                ),
              )}
            </ol>
          )
        }
      </Loaded>
    </div>
  )
}
