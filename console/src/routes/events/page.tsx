import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Event, ListEventsQuery } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { actorWords, eventWords, objectOf, objectWords } from '../../parts/event-words.ts'
import { Select, TextField } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Table } from '../../parts/table.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useEventTypes } from '../../shell/use-event-types.ts'
import type { EventFilters } from './filters.ts'
import styles from './page.module.css'

const pageSize = 50

const actors = [
  ['', 'Everybody'],
  ['member', 'People'],
  ['api_key', 'API keys'],
  ['operator', 'The operator'],
  ['system', 'Crosswalk itself'],
] as const

const columns = [
  { name: 'When', width: 120 },
  { name: 'What' },
  { name: 'Changed', optional: true },
  { name: 'Who', width: 220, optional: true },
  { name: 'Object', width: 330, optional: true },
]

/** The audit log: who changed what, and when. The filters are in the address. */
export function EventsPage() {
  const { orgId, mode, api } = useScope()
  const filters = useSearch({ from: '/o/$orgId/events' })
  const events = useInfiniteQuery({
    queryKey: ['events', orgId, mode, filters],
    queryFn: ({ pageParam, signal }) =>
      api.events.list(
        { ...queryOf(filters), limit: pageSize, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
  })
  return (
    <Page name="Events">
      <Filters filters={filters} />
      <Loaded query={events}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data)
          if (rows.length === 0) return <NoEvents hasFilters={isFiltered(filters)} />
          return (
            <>
              <Table label="Events" columns={columns} hasControls={false}>
                {rows.map((event) => (
                  <EventRow key={event.event_id} event={event} />
                ))}
              </Table>
              <div className="pad rail">
                {events.hasNextPage ? (
                  <Button isBusy={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
                    Show older events
                  </Button>
                ) : (
                  <span className="three">There are no older events.</span>
                )}
              </div>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function EventRow({ event }: { event: Event }) {
  const { type, actor, object_id, changed, mode, created_at } = event
  return (
    <tr>
      <td>
        <Time at={created_at} />
      </td>
      <th scope="row">
        <span className="rail">
          <span className="cut" title={type}>
            {eventWords(type)}
          </span>
          {mode === 'test' && <Tag kind="test">test</Tag>}
        </span>
      </th>
      <td className="opt" title={changed?.join(', ')}>
        {changed?.join(', ')}
      </td>
      <td className="opt">{actorWords(actor)}</td>
      <td className="opt mono">{object_id}</td>
    </tr>
  )
}

const isFiltered = (filters: EventFilters) => Object.values(queryOf(filters)).some(Boolean)

const queryOf = ({ types, actor, object }: EventFilters): ListEventsQuery => ({
  types,
  actor_kind: actor,
  object_id: object,
})

const idPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function Filters({ filters }: { filters: EventFilters }) {
  const navigate = useNavigate({ from: '/o/$orgId/events' })
  // The typed id, which is used when it is complete. null: the id in the address
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? filters.object ?? ''
  const objects = [...new Set((useEventTypes().data ?? []).map(({ type }) => objectOf(type)))].sort()
  const change = (next: EventFilters) =>
    void navigate({ search: (all) => ({ ...all, ...next }), replace: true })
  const type = (text: string) => {
    const id = text.trim()
    setTyped(text)
    if (id === '' || idPattern.test(id)) change({ object: id || undefined })
  }
  const clear = () => {
    setTyped(null)
    change({ types: undefined, actor: undefined, object: undefined })
  }
  return (
    <search className={styles.filters} aria-label="Filters">
      <Select
        label="About"
        value={filters.types ?? ''}
        options={[
          ['', 'Everything'],
          ...objects.map((object) => [`${object}.*`, objectWords(object)] as const),
        ]}
        onChange={(value) => change({ types: value || undefined })}
      />
      <Select
        label="By"
        value={filters.actor ?? ''}
        options={actors}
        onChange={(value) => change({ actor: value || undefined })}
      />
      <TextField
        label="Object id"
        value={shown}
        placeholder="01a1fe49-…"
        onChange={type}
        error={shown.trim() && !idPattern.test(shown.trim()) ? 'Paste the whole id.' : null}
      />
      {(typed || isFiltered(filters)) && (
        <Button kind="quiet" onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

const NoEvents = ({ hasFilters }: { hasFilters: boolean }) => (
  <Empty icon="events" title={hasFilters ? 'No event matches these filters' : 'Nothing has happened yet'}>
    <p className="two">
      {hasFilters
        ? 'Change or clear a filter.'
        : 'Each change of a record, key or setting appears here, with who made it.'}
    </p>
  </Empty>
)
