import { useInfiniteQuery } from '@tanstack/react-query'
import type { Event } from '../../../../sdk/src/generated/types.ts'
import { actorWords, eventIcon } from '../../parts/event-words.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { Time } from '../../parts/time.tsx'
import { useScope } from '../../shell/scope.tsx'
import { idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import type { RecordField } from '../record-field.ts'
import styles from './history.module.css'

const pageSize = 25

/** The changes of a record, each with its author and time. */
export function History({
  kind,
  record,
  fields,
}: {
  kind: RecordKind
  record: ShownRecord
  fields: readonly RecordField[]
}) {
  const { orgId, api, can } = useScope()
  const id = idOf(kind, record)
  const events = useInfiniteQuery({
    // A new version has a new event.
    queryKey: ['record-events', orgId, id, record.version],
    queryFn: ({ pageParam, signal }) =>
      api.events.list(
        { object_id: id, limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: (before) => before,
    enabled: can('events:read'),
  })
  return (
    <section className={styles.history} aria-label="History">
      <h2>History</h2>
      {can('events:read') ? (
        <Loaded query={events}>
          {({ pages }) => (
            <>
              <ol className={styles.feed}>
                {pages
                  .flatMap(({ data }) => data)
                  .map((event) => (
                    <li key={event.event_id}>
                      <Icon name={eventIcon(event.type)} />
                      <p>
                        <b className="strong">{actorWords(event.actor)}</b> {actWords(event)}
                        {event.changed && event.changed.length > 0 && (
                          <span className="two"> {changedWords(event.changed, fields)}</span>
                        )}
                      </p>
                      <Time at={event.created_at} />
                    </li>
                  ))}
              </ol>
              <NextPageButton query={events} act="Show older changes" end="There are no older changes." />
            </>
          )}
        </Loaded>
      ) : (
        <p className="two">Your role does not include the events.</p>
      )}
    </section>
  )
}

/** For example “changed” for `contact.updated`. */
function actWords({ type }: Event): string {
  const act = type.slice(type.indexOf('.') + 1)
  return words[act] ?? act.replaceAll('_', ' ')
}

const words: Record<string, string> = {
  created: 'created the record',
  updated: 'changed',
  archived: 'archived the record',
  restored: 'restored the record',
  closed: 'closed the deal',
  reopened: 'reopened the deal',
  merged: 'merged another record into this one',
  unmerged: 'undid a merge',
}

const otherNames: Record<string, string> = {
  custom: 'Your own fields',
  external_ids: 'External ids',
  consent: 'Consent',
  consent_details: 'Consent',
  owner_email: 'Owner',
}

function changedWords(changed: readonly string[], fields: readonly RecordField[]): string {
  const labels = changed.map(
    (name) => fields.find((field) => field.name === name)?.label ?? otherNames[name] ?? name,
  )
  return [...new Set(labels)].join(', ')
}
