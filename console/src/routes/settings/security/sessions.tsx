import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionEntry } from '../../../api/generated/types.ts'
import { browserName } from '../../../parts/browser-name.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Section } from '../../../parts/section.tsx'
import { State } from '../../../parts/state.tsx'
import { RowActions, Table } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { fullTime } from '../../../parts/times.ts'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'

const columns = [
  { name: 'Browser' },
  { name: 'Signed in', width: 128, optional: true },
  { name: 'Last used', width: 128 },
  { name: 'Ends at the latest', width: 144, optional: true },
  { name: 'Actions', width: 88, isHidden: true },
]

/** The browsers in which the person is signed in. */
export function SessionsSection() {
  const { api } = useScope()
  const queries = useQueryClient()
  const [ended, setEnded] = useState<SessionEntry | null>(null)
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => api.sessions.list({ signal }),
    refetchInterval: 60_000,
  })
  return (
    <Section
      title="Sessions"
      about="Where you are signed in. A session ends after 7 days without use, and after 30 days at the latest."
    >
      <Loaded query={sessions} rows={2}>
        {(list) => (
          <div className="rule">
            <Table label="Sessions" columns={columns}>
              {list.map((session) => (
                <Row key={session.session_id} session={session} onEnd={() => setEnded(session)} />
              ))}
            </Table>
          </div>
        )}
      </Loaded>
      {ended && (
        <Confirmation
          title="End this session?"
          act="End session"
          work={async () => api.sessions.end(ended.session_id)}
          onClose={() => setEnded(null)}
          onDone={() => {
            setEnded(null)
            showToast('The session ended.')
            void queries.invalidateQueries({ queryKey: ['sessions'] })
          }}
        >
          <p>{browserName(ended.user_agent)} is signed out within 2 seconds.</p>
          <p>
            If you do not know this session, change your password too, and disconnect each app under Connected
            apps that you do not know.
          </p>
        </Confirmation>
      )}
    </Section>
  )
}

function Row({ session, onEnd }: { session: SessionEntry; onEnd: () => void }) {
  const { user_agent, is_current, created_at, seen_at, expires_at } = session
  const name = browserName(user_agent)
  return (
    <tr>
      <th scope="row" title={user_agent}>
        {name}
      </th>
      <td className="opt">
        <Time at={created_at} />
      </td>
      <td>{is_current ? <State kind="ok">this browser</State> : <Time at={seen_at} />}</td>
      <td className="opt">
        <Time at={expires_at} />
      </td>
      <td>
        {!is_current && (
          <RowActions>
            <Button
              kind="quiet"
              danger
              aria-label={`End the session of ${name}, ${fullTime(created_at)}`}
              onClick={onEnd}
            >
              End
            </Button>
          </RowActions>
        )}
      </td>
    </tr>
  )
}
