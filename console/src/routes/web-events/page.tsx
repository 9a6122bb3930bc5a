import { useState } from 'react'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { Table } from '../../parts/table.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { WebEventFilterBar } from './filter-bar.tsx'
import { noFilters, queryOf, type WebEventFilters } from './filters.ts'
import { Flow } from './flow.tsx'
import { NoWebEvents } from './no-web-events.tsx'
import { useStream } from './use-stream.ts'
import { useContactNames } from './visitors/use-contact-names.ts'
import { WebEventRow } from './web-event-row.tsx'

const columns = [
  { name: 'When', width: 130, phoneWidth: 108 },
  { name: 'Event' },
  { name: 'Call', width: 110, optional: true },
  { name: 'Visitor', width: 260, optional: true },
]

/** Shows the events of web visitors as they arrive. The filters are in the address. */
export function WebEventsPage() {
  const { mode, can } = useScope()
  const filters = useSearch('/o/$orgId/web-events')
  const navigate = useNavigate('/o/$orgId/web-events')
  const [isPaused, setPaused] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const isMoving = !isPaused && openId === null
  const { events, restart } = useStream(queryOf(filters, mode), isMoving)
  const change = (next: WebEventFilters) =>
    void navigate({ search: (all) => ({ ...all, ...next }), replace: true })
  const toggle = () => {
    if (isMoving) return setPaused(true)
    setPaused(false)
    setOpenId(null)
    restart()
  }
  const showOlder = () => {
    setPaused(true)
    void events.fetchNextPage()
  }
  useKey('p', toggle)
  const rows = events.data?.pages.flatMap((page) => page.events) ?? []
  const names = useContactNames(rows.map(({ user_key }) => user_key))
  return (
    <Page
      name="Web events"
      acts={
        can('tracking:read') && (
          <Flow
            state={isPaused ? 'paused' : openId ? 'open' : events.isError ? 'failing' : 'moving'}
            onToggle={toggle}
          />
        )
      }
    >
      <WebEventFilterBar
        filters={filters}
        names={rows.map(({ name }) => name)}
        onChange={(next) => {
          // An open event that the filters leave out would stop the list.
          setOpenId(null)
          change(next)
        }}
      />
      <Loaded query={events}>
        {() => (
          <>
            {rows.length === 0 ? (
              <NoWebEvents filters={filters} hasOlder={events.hasNextPage} />
            ) : (
              <Table label="Web events" columns={columns}>
                {rows.map((event) => (
                  <WebEventRow
                    key={event.event_id}
                    event={event}
                    isOpen={event.event_id === openId}
                    names={names}
                    onOpen={(isOpen) => setOpenId(isOpen ? event.event_id : null)}
                    onVisitor={(visitor) => change({ ...noFilters, events: filters.events, visitor })}
                  />
                ))}
              </Table>
            )}
            <NextPageButton
              query={{ ...events, fetchNextPage: showOlder }}
              act="Show older events"
              end={rows.length > 0 ? 'There are no older events.' : ''}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}
