import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { actorWords, eventIcon, eventWords } from '../../parts/event-words.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Time } from '../../parts/time.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './recent.module.css'

const shown = 12

/** The latest events. */
export function Recent() {
  const { orgId, mode, api } = useScope()
  const events = useQuery({
    queryKey: ['recent-events', orgId, mode],
    queryFn: ({ signal }) => api.events.list({ limit: shown }, { signal }),
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
        {({ data }) =>
          data.length === 0 ? (
            <p className="two">Nothing has happened yet.</p>
          ) : (
            <ol className={styles.feed}>
              {data.map(({ event_id, type, actor, created_at }) => (
                <li key={event_id}>
                  <Icon name={eventIcon(type)} />
                  <p>
                    <b className="strong">{actorWords(actor)}</b>: {eventWords(type)}
                  </p>
                  <Time at={created_at} />
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </div>
  )
}
