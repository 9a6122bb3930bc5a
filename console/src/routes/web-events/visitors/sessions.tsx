import { useInfiniteQuery } from '@tanstack/react-query'
import type { VisitorSession } from '../../../../../sdk/src/generated/types.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { NextPageButton } from '../../../parts/more.tsx'
import { count } from '../../../parts/numbers.ts'
import { Section } from '../../../parts/section.tsx'
import { Table } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { durationWords } from '../../../parts/times.ts'
import { useScope } from '../../../shell/scope.tsx'
import { sourceWords } from './words.ts'

const pageSize = 10

const columns = [
  { name: 'Began', width: 130, phoneWidth: 108 },
  { name: 'Pages' },
  { name: 'Came from', width: 220, optional: true },
  { name: 'Events', width: 90, optional: true, isNumber: true },
  { name: 'Lasted', width: 124, phoneWidth: 104 },
]

/** The sessions of a visitor, newest first. */
export function Sessions({ visitorId }: { visitorId: string }) {
  const { orgId, mode, api } = useScope()
  const sessions = useInfiniteQuery({
    queryKey: ['visitor-sessions', orgId, mode, visitorId],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.visitors.sessions.list(visitorId, { mode, limit: pageSize, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  return (
    <Section title="Sessions" about="A session ends after 30 minutes without an event.">
      <Loaded query={sessions} rows={2}>
        {({ pages }) => (
          <>
            <Table label="Sessions" columns={columns} hasControls={false}>
              {pages
                .flatMap((page) => page.sessions)
                .map((session) => (
                  <SessionRow key={`${session.started_at} ${session.session_id}`} session={session} />
                ))}
            </Table>
            {sessions.hasNextPage && <NextPageButton query={sessions} act="Show older sessions" end="" />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function SessionRow({ session }: { session: VisitorSession }) {
  const { started_at, ended_at, entry_path, exit_path, source, events } = session
  const path = entry_path === exit_path ? entry_path : `${entry_path} → ${exit_path}`
  return (
    <tr>
      <td>
        <Time at={started_at} />
      </td>
      <th scope="row">
        {path === null ? (
          <span className="three">–</span>
        ) : (
          <span className="mono cut" title={path}>
            {path}
          </span>
        )}
      </th>
      <td className="opt">
        <span className="cut">{sourceWords(source)}</span>
      </td>
      <td className="opt num">{count(events)}</td>
      <td>{ended_at === started_at ? '–' : durationWords(ended_at - started_at)}</td>
    </tr>
  )
}
