import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Call } from '../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../api/live.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { FilterBar, TextFilter } from '../../parts/filters.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { count } from '../../parts/numbers.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { FirstOne } from '../../shell/first-one.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { reloadUsage, waitingRequestsQuery } from './call-queries.ts'
import { CallTable } from './call-table.tsx'
import type { CallFilters } from './filters.ts'
import { LiveCalls } from './live-calls.tsx'
import { PlaceDialog } from './place-dialog.tsx'
import { type Uncertain, UncertainCall } from './uncertain-call.tsx'
import { CallUsage } from './usage.tsx'
import { isUnderWay, statusOptions } from './words.ts'

type CallList = { pages: { data: Call[] }[] }

const requestsPollMs = 30_000

/** How many people wait to be called; nothing while there are none. */
function WaitingRequests() {
  const { data } = useQuery({ ...waitingRequestsQuery(useScope()), refetchInterval: requestsPollMs })
  if (!data) return null
  return (
    <span className="two">
      {count(data)}
      <span className="sr"> waiting</span>
    </span>
  )
}

/** The calls of the organization: running and ended ones, and their number. */
export function CallsPage() {
  const { orgId, mode, api, can } = useScope()
  const filters = useSearch('/o/$orgId/calls')
  const navigate = useNavigate('/o/$orgId/calls')
  const [uncertain, setUncertain] = useState<Uncertain | null>(null)
  const { status, to, call: number } = filters
  const calls = useInfiniteQuery({
    queryKey: ['calls', orgId, mode, status, to],
    queryFn: ({ pageParam, signal }) =>
      api.voice.calls.list(
        {
          limit: 50,
          ...(status && { status }),
          ...(to && { to_number: to }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: liveInterval(({ pages }: CallList) => pages.some(({ data }) => data.some(isUnderWay))),
  })
  const reload = () => {
    void calls.refetch()
    reloadUsage(orgId)
  }
  const mayCall = can('voice:write')
  const change = (next: CallFilters) =>
    void navigate({ search: (all) => ({ ...all, ...next }), replace: true })
  const place = () => change({ call: '+' })
  const close = () => change({ call: undefined })
  useKey('c', () => mayCall && place())
  return (
    <Page
      name="Calls"
      acts={
        <>
          <Link to="/o/$orgId/calls/requests" params={{ orgId }} {...buttonLook({ kind: 'quiet' })}>
            Requests
            <WaitingRequests />
          </Link>
          <Link to="/o/$orgId/calls/suppressions" params={{ orgId }} {...buttonLook({ kind: 'quiet' })}>
            Do not call
          </Link>
          {mayCall && (
            <Button kind="main" icon="phone" shortcut="C" onClick={place}>
              <span className="wide-label">Place a call</span>
            </Button>
          )}
        </>
      }
    >
      {uncertain && (
        <UncertainCall
          key={uncertain.key}
          uncertain={uncertain}
          onFound={() => {
            setUncertain(null)
            reload()
          }}
          onClose={() => setUncertain(null)}
        />
      )}
      <Loaded query={calls}>
        {({ pages }) => {
          const shown = pages.flatMap(({ data }) => data)
          const isFiltered = status !== undefined || to !== undefined
          if (shown.length === 0 && !isFiltered)
            return uncertain === null && <NoCalls onPlace={mayCall ? place : null} />
          return (
            <>
              <LiveCalls calls={shown} onChanged={reload} />
              <CallUsage />
              <Filters filters={filters} onChange={change} />
              {shown.length === 0 ? (
                <Empty icon="phone" title="No call matches these filters">
                  <p className="two">Change the filters, or clear them.</p>
                </Empty>
              ) : (
                <>
                  <CallTable calls={shown} />
                  <NextPageButton query={calls} act="Show more calls" end="There are no older calls." />
                </>
              )}
            </>
          )
        }}
      </Loaded>
      {number !== undefined && mayCall && (
        <PlaceDialog
          number={number === '+' ? '' : number}
          onClose={close}
          onPlaced={() => {
            close()
            reload()
          }}
          onUncertain={(next) => {
            close()
            setUncertain(next)
          }}
        />
      )}
    </Page>
  )
}

const Filters = ({
  filters: { status, to },
  onChange,
}: {
  filters: CallFilters
  onChange: (next: CallFilters) => void
}) => (
  <FilterBar
    isFiltered={status !== undefined || to !== undefined}
    onClear={() => onChange({ status: undefined, to: undefined })}
  >
    <Select
      label="Outcome"
      value={status ?? ''}
      options={[['', 'All'], ...statusOptions]}
      onChange={(next) => onChange({ status: next || undefined })}
    />
    <TextFilter
      label="Number"
      value={to ?? ''}
      placeholder="+1 202 555 0100"
      onChange={(next) => onChange({ to: next || undefined })}
    />
  </FilterBar>
)

const NoCalls = ({ onPlace }: { onPlace: (() => void) | null }) => (
  <Empty icon="phone" title="Nobody was called yet">
    <p className="two">
      An AI agent calls a number, speaks as a persona, and follows your instructions. A check comes first: it
      says whether the number may be called, and calls nobody.
    </p>
    {onPlace && (
      <FirstOne
        act="Place a call"
        onAct={onPlace}
        path="/voice/calls"
        body={{ to_number: '+12025550100', dry_run: true }}
      />
    )}
  </Empty>
)
