import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Event, ListEventsQuery } from '../../../../sdk/src/generated/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { actorWords, eventWords, objectOf, objectWords } from '../../parts/event-words.ts'
import { Select } from '../../parts/field.tsx'
import { FilterBar, IdFilter } from '../../parts/filters.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { Table } from '../../parts/table.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useEventTypes } from '../../shell/use-event-types.ts'
import type { EventFilters } from './filters.ts'
import { EventObject, leadsToRecord, useObjectNames } from './object.tsx'

const pageSize = 50

const actors = [
  ['', 'Everybody'],
  ['member', 'People'],
  ['api_key', 'API keys'],
  ['operator', 'The operator'],
  ['system', 'Crosswalk itself'],
] as const

const columns = [
  { name: 'When', width: 120, phoneWidth: 92 },
  { name: 'What', width: 200, phoneWidth: 145 },
  { name: 'Changed', optional: true },
  { name: 'Who', width: 150, phoneWidth: 125 },
  { name: 'Object', width: 300, optional: true },
]

/** The audit log: who changed what, and when. The filters are in the address. */
export function EventsPage() {
  const { orgId, mode, api } = useScope()
  const filters = useSearch('/o/$orgId/events')
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
              <Rows events={rows} />
              <NextPageButton query={events} act="Show older events" end="There are no older events." />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function Rows({ events }: { events: readonly Event[] }) {
  const names = useObjectNames(events)
  const nameOf = ({ object_id }: Event) => names.get(object_id ?? '')
  const hasControls = events.some((event) => event.actor.id !== null || leadsToRecord(event, nameOf(event)))
  return (
    <Table label="Events" columns={columns} hasControls={hasControls}>
      {events.map((event) => (
        <EventRow key={event.event_id} event={event} name={nameOf(event)} />
      ))}
    </Table>
  )
}

function EventRow({ event, name }: { event: Event; name: string | undefined }) {
  const { type, actor, object_id, changed, mode, created_at } = event
  const words = isByOther(event) && name ? name : actorWords(actor)
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
      <td title={words}>
        <Who actor={actor} words={words} />
      </td>
      <td className="opt" title={object_id ?? undefined}>
        <EventObject event={event} name={name} />
      </td>
    </tr>
  )
}

/**
 * Whether the other organization, which is the object, made or cut a link. The API shows no actor then, because its people
 * and keys are not those of this organization.
 */
const isByOther = ({ type, actor }: Event) =>
  actor.kind === 'system' && /^(agency\.client|org\.agency)_(un)?linked$/.test(type)

/** The name of an actor leads to all its events. */
function Who({ actor, words }: Pick<Event, 'actor'> & { words: string }) {
  const { orgId } = useScope()
  if (actor.id === null) return words
  return (
    <span className="rail">
      <Link className="link cut" to="/o/$orgId/events" params={{ orgId }} search={{ by: actor.id }}>
        {words}
      </Link>
    </span>
  )
}

const isFiltered = (filters: EventFilters) => Object.values(queryOf(filters)).some(Boolean)

const queryOf = ({ types, actor, object, by }: EventFilters): ListEventsQuery => ({
  types,
  actor_kind: actor,
  object_id: object,
  actor_id: by,
})

function Filters({ filters }: { filters: EventFilters }) {
  const navigate = useNavigate('/o/$orgId/events')
  const objects = [...new Set((useEventTypes().data ?? []).map(({ type }) => objectOf(type)))].sort()
  const change = (next: EventFilters) =>
    void navigate({ search: (all) => ({ ...all, ...next }), replace: true })
  return (
    <FilterBar
      isFiltered={isFiltered(filters)}
      onClear={() => change({ types: undefined, actor: undefined, object: undefined, by: undefined })}
    >
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
      <IdFilter
        label="Object id"
        value={filters.object ?? ''}
        onChange={(object) => change({ object: object || undefined })}
      />
      <IdFilter
        label="Key or person id"
        value={filters.by ?? ''}
        onChange={(by) => change({ by: by || undefined })}
      />
    </FilterBar>
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
