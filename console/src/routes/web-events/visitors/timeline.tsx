import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '../../../parts/loaded.tsx'
import { NextPageButton } from '../../../parts/more.tsx'
import { Section } from '../../../parts/section.tsx'
import { Table } from '../../../parts/table.tsx'
import { useNavigate } from '../../../routing/use-router.ts'
import { useScope } from '../../../shell/scope.tsx'
import { WebEventRow } from '../web-event-row.tsx'

const pageSize = 25

const columns = [
  { name: 'When', width: 130, phoneWidth: 108 },
  { name: 'Event' },
  { name: 'Call', width: 110, optional: true },
]

/** The events of a visitor, newest first by the time when they happened. */
export function Timeline({ visitorId }: { visitorId: string }) {
  const { orgId, mode, api } = useScope()
  const navigate = useNavigate()
  const [openId, setOpenId] = useState<string | null>(null)
  const events = useInfiniteQuery({
    queryKey: ['visitor-events', orgId, mode, visitorId],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.visitors.events.list(visitorId, { mode, limit: pageSize, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  return (
    <Section title="Events">
      <Loaded query={events}>
        {({ pages }) => (
          <>
            <Table label="Events" columns={columns}>
              {pages
                .flatMap((page) => page.events)
                .map((event) => (
                  <WebEventRow
                    key={event.event_id}
                    event={event}
                    showsVisitor={false}
                    isOpen={event.event_id === openId}
                    onOpen={(isOpen) => setOpenId(isOpen ? event.event_id : null)}
                    onVisitor={(visitor) =>
                      void navigate({ to: '/o/$orgId/web-events', params: { orgId }, search: { visitor } })
                    }
                  />
                ))}
            </Table>
            <NextPageButton query={events} act="Show older events" end="There are no older events." />
          </>
        )}
      </Loaded>
    </Section>
  )
}
