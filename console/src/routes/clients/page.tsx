import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { problemElsewhere } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { curl } from '../../parts/curl.ts'
import { saveFile } from '../../parts/download.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { Figures } from '../../parts/figures.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { ClientTable, figuresOf } from './client-table.tsx'
import { monthOptions, thisMonth } from './month.ts'

/** The clients of an agency, and what each used in a month. */
export function ClientsPage() {
  const { membership } = useScope()
  if (membership.is_agency) return <ClientUsage />
  return (
    <Page name="Clients">
      <Empty icon="merge" title="This organization has no clients">
        <p className="two">
          An agency acts on other organizations, its clients, and sees what each of them uses.
        </p>
      </Empty>
    </Page>
  )
}

function ClientUsage() {
  const { orgId, mode, api } = useScope()
  const { month = thisMonth() } = useSearch({ from: '/o/$orgId/clients' })
  const navigate = useNavigate({ from: '/o/$orgId/clients' })
  const totals = useQuery({
    queryKey: ['client-totals', orgId, mode, month],
    queryFn: ({ signal }) => api.agency.usage.totals.get({ month }, { signal }),
    placeholderData: keepPreviousData,
  })
  const clients = useInfiniteQuery({
    queryKey: ['client-usage', orgId, mode, month],
    queryFn: ({ pageParam, signal }) =>
      api.agency.usage.list({ month, limit: 100, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
  })
  const download = useSubmit(async () => {
    try {
      const file = await new Response(await api.agency.usage.export({ month })).blob()
      saveFile(file, `clients-${month}.csv`)
    } catch (error) {
      showToast(`Not downloaded: ${problemElsewhere(error, [])}`, 'bad')
    }
  })
  const all = clients.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Page
      name="Clients"
      acts={
        <>
          <Select
            label="Month"
            isLabelHidden
            value={month}
            options={monthOptions(month)}
            onChange={(next) => void navigate({ search: { month: next }, replace: true })}
          />
          <Button icon="import" isBusy={download.isBusy} onClick={() => download.submit()}>
            <span className="wide-label">Download CSV</span>
          </Button>
        </>
      }
    >
      <Loaded query={clients}>
        {({ pages: [first] }) =>
          first?.pagination.total === 0 ? (
            <Empty icon="merge" title="There are no clients yet">
              <p className="two">
                A client that you create belongs to your agency. Others accept an invitation.
              </p>
              <Code label="Create a client with curl">
                {curl('/agency/clients', { method: 'POST', body: { name: 'Northwind' } })}
              </Code>
            </Empty>
          ) : (
            <>
              {totals.data && (
                <div className="pad">
                  <Figures figures={figuresOf(totals.data)} />
                </div>
              )}
              <ClientTable clients={all} />
              <NextPageButton query={clients} act="Show more clients" end="There are no more clients" />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
