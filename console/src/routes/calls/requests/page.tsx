import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../../../parts/empty.tsx'
import { Select } from '../../../parts/field.tsx'
import { FilterBar, TextFilter } from '../../../parts/filters.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { NextPageButton } from '../../../parts/more.tsx'
import { phoneWords } from '../../../parts/phone-number.ts'
import { showToast } from '../../../parts/toast.tsx'
import { Link } from '../../../routing/link.tsx'
import { useNavigate, useSearch } from '../../../routing/use-router.ts'
import { CurlCode } from '../../../shell/curl-code.tsx'
import { Page } from '../../../shell/page.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { useCallees } from '../call-queries.ts'
import type { RequestFilters } from '../filters.ts'
import { CallDialog } from './call-dialog.tsx'
import { DeclineDialog } from './decline-dialog.tsx'
import { type Deciding, RequestTable } from './table.tsx'
import { statusOptions } from './words.ts'

/** The people who asked to be called. A member calls them, or declines. */
export function CallRequestsPage() {
  const { orgId, mode, api, can } = useScope()
  const { status, number } = useSearch('/o/$orgId/calls/requests')
  const navigate = useNavigate('/o/$orgId/calls/requests')
  const [open, setOpen] = useState<Deciding | null>(null)
  const requests = useInfiniteQuery({
    queryKey: ['call-requests', orgId, mode, status, number],
    queryFn: ({ pageParam, signal }) =>
      api.callBackRequests.list(
        {
          ...{ mode, limit: 50 },
          ...(status !== 'all' && { status: status ?? 'waiting' }),
          ...(number && { number }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  const found = requests.data?.pages.flatMap(({ data }) => data) ?? []
  const callees = useCallees(found.map((request) => request.number))
  const isFiltered = status !== undefined || number !== undefined
  const change = (next: RequestFilters) =>
    void navigate({ search: (all) => ({ ...all, ...next }), replace: true })
  const close = () => setOpen(null)
  const done = (text: string, callId: string | null = null) => {
    close()
    showToast(
      text,
      'ok',
      callId
        ? {
            name: 'Open the call',
            run: () => void navigate({ to: '/o/$orgId/calls/$callId', params: { orgId, callId } }),
          }
        : undefined,
    )
    void requests.refetch()
  }
  const tooLate = (text: string) => {
    close()
    showToast(text, 'bad')
    void requests.refetch()
  }
  return (
    <Page name="Calls" part="Requests">
      <div className="pad stack">
        <p className="t12">
          <Link to="/o/$orgId/calls" params={{ orgId }} className="link">
            All calls
          </Link>
        </p>
        <p className="two">
          These people asked in a form for a call. Each request leads to at most one call, and expires after 7
          days.
        </p>
      </div>
      <FilterBar isFiltered={isFiltered} onClear={() => change({ status: undefined, number: undefined })}>
        <Select
          label="Status"
          value={status ?? ''}
          options={statusOptions}
          onChange={(next) => change({ status: next || undefined })}
        />
        <TextFilter
          label="Number"
          value={number ?? ''}
          placeholder="+1 202 555 0100"
          onChange={(next) => change({ number: next || undefined })}
        />
      </FilterBar>
      <Loaded query={requests}>
        {() =>
          found.length === 0 ? (
            <NoRequests isFiltered={isFiltered} />
          ) : (
            <>
              <RequestTable found={found} callees={callees} onDecide={can('voice:write') ? setOpen : null} />
              <NextPageButton query={requests} act="Show more requests" end="There are no older requests." />
            </>
          )
        }
      </Loaded>
      {open?.act === 'call' && (
        <CallDialog
          request={open.request}
          callee={callees.get(open.request.number)}
          onClose={close}
          onCalled={(callId) => done(`${phoneWords(open.request.number)} is being called.`, callId)}
          onTooLate={tooLate}
        />
      )}
      {open?.act === 'decline' && (
        <DeclineDialog
          request={open.request}
          onClose={close}
          onDeclined={(isSuppressed) =>
            done(
              isSuppressed
                ? `${phoneWords(open.request.number)} is never called.`
                : 'The request is declined.',
            )
          }
          onTooLate={tooLate}
        />
      )}
    </Page>
  )
}

const NoRequests = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon="phone" title="No request matches these filters">
      <p className="two">Change the filters, or clear them.</p>
    </Empty>
  ) : (
    <Empty icon="phone" title="Nobody waits for a call">
      <p className="two">
        Forms can ask for calls: edit a form, and open “Calls”. Its requests wait here until somebody decides.
      </p>
      <CurlCode label="The same with curl" path="/call-back-requests?status=waiting" />
    </Empty>
  )
