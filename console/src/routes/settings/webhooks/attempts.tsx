import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  WebhookAttempt,
  WebhookEndpoint,
  WebhookOutcome,
} from '../../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Segments } from '../../../parts/field.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { Table } from '../../../parts/table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useNavigate, useSearch } from '../../../routing/use-router.ts'
import { CurlCode } from '../../../shell/curl-code.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { AttemptRow } from './attempt-row.tsx'
import { requestsOf, statsQuery } from './stats-query.ts'

const pageSize = 50
/** How long the page polls the list after an event was sent again. */
const watchedMs = 15_000
const newsMs = 1_000
const retryMs = 5_000
/** Reading the list may keep the database busy for at most a twentieth of the time. */
const idleShare = 20

const columns = [
  { name: 'Event' },
  { name: 'Result', width: 112 },
  { name: 'Answer', optional: true },
  { name: 'Took', width: 80, optional: true },
  { name: 'Sent', width: 108 },
  { name: 'Actions', width: 100, optional: true, isHidden: true },
]

const filters = [
  ['', 'All'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['exhausted', 'Given up'],
] as const

/** The requests to an endpoint in the last 7 days, newest first. */
export function Attempts({
  endpoint,
  mayResend,
  onReplay,
  onResent,
}: {
  endpoint: WebhookEndpoint
  mayResend: boolean
  onReplay: (() => void) | null
  onResent: () => void
}) {
  const scope = useScope()
  const { orgId, mode, api } = scope
  const { endpoint_id: endpointId } = endpoint
  const { outcome } = useSearch('/o/$orgId/settings/webhooks/$endpointId')
  const navigate = useNavigate()
  const [watchedUntil, setWatchedUntil] = useState(0)
  // The sums of the hours are quick to read. The list, which the server counts, is read when they changed.
  const { data: stats } = useQuery(statsQuery(scope, endpointId, 'day'))
  const requests = stats && requestsOf(stats.hours)
  const attempts = useInfiniteQuery({
    queryKey: ['webhook-attempts', orgId, mode, endpointId, outcome ?? null],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const began = performance.now()
      const page = await api.webhooks.attempts.list(
        endpointId,
        { limit: pageSize, outcome, cursor },
        { signal },
      )
      return { ...page, requests, tookMs: performance.now() - began }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    refetchInterval: ({ state }) => {
      const [newest] = state.data?.pages ?? []
      if (!newest) return retryMs
      const isOld = newest.requests !== requests || Date.now() < watchedUntil
      return isOld && Math.max(newsMs, newest.tookMs * idleShare)
    },
  })
  const show = (chosen: WebhookOutcome | '') =>
    void navigate({
      to: '/o/$orgId/settings/webhooks/$endpointId',
      params: { orgId, endpointId },
      search: (before) => ({ ...before, outcome: chosen === '' ? undefined : chosen }),
      replace: true,
    })
  const resend = async ({ event_id, type }: WebhookAttempt) => {
    try {
      await api.webhooks.resend.create(endpointId, event_id)
      showToast(`${type} is sent again.`)
      setWatchedUntil(Date.now() + watchedMs)
      onResent()
    } catch (error) {
      showToast(problemOf(error).text, 'bad')
    }
  }
  return (
    <section className="stack g0 rule" aria-label="Attempts">
      <div className="rail wrap pad">
        <h3 className="grow" style={{ minWidth: 200 }}>
          Attempts of the last 7 days
        </h3>
        <Segments label="Result" isLabelHidden value={outcome ?? ''} options={filters} onChange={show} />
        {onReplay && (
          <Button
            disabled={endpoint.status === 'disabled'}
            title={endpoint.status === 'disabled' ? 'Enable the endpoint first' : undefined}
            onClick={onReplay}
          >
            Send a period again
          </Button>
        )}
      </div>
      <Loaded query={attempts}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data)
          if (rows.length === 0) return <NoAttempts endpointId={endpointId} outcome={outcome} />
          return (
            <>
              <div className="rule">
                <Table label="Attempts" columns={columns}>
                  {rows.map((attempt) => (
                    <AttemptRow
                      key={attempt.attempt_id}
                      attempt={attempt}
                      ownOrgId={orgId}
                      canResend={endpoint.status !== 'disabled'}
                      onResend={mayResend ? () => resend(attempt) : null}
                    />
                  ))}
                </Table>
              </div>
              <div className="rail wrap pad">
                <span className="three t12">
                  {count(rows.length)} of {count(pages[0]?.pagination.total ?? 0)} attempts
                </span>
                {attempts.isFetchNextPageError && <Note kind="bad">The next page could not be read.</Note>}
                {attempts.hasNextPage && (
                  <Button isBusy={attempts.isFetchingNextPage} onClick={() => void attempts.fetchNextPage()}>
                    {attempts.isFetchNextPageError ? 'Try again' : 'Show older attempts'}
                  </Button>
                )}
              </div>
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

const outcomesInWords: Record<WebhookOutcome, string> = {
  delivered: 'No request succeeded',
  failed: 'No request failed and is tried again',
  exhausted: 'No event was given up',
}

function NoAttempts({ endpointId, outcome }: { endpointId: string; outcome: WebhookOutcome | undefined }) {
  if (outcome) return <p className="pad two">{outcomesInWords[outcome]} in the last 7 days.</p>
  return (
    <Empty icon="events" title="Nothing was sent yet">
      <p className="two">
        The next event that the endpoint wants appears here. To try the endpoint now, send a test.
      </p>
      <CurlCode
        label="The same with curl"
        path={`/webhooks/endpoints/${endpointId}/test`}
        method="POST"
        body={{ type: 'contact.updated' }}
      />
    </Empty>
  )
}
