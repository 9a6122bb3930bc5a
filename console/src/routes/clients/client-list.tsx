import { useState } from 'react'
import type { AgencyClientUsage, CutAgencyLink } from '../../../../sdk/src/generated/types.ts'
import { distinctNames } from '../../api/distinct-names.ts'
import { problemElsewhere } from '../../api/problem.ts'
import { useSession } from '../../api/use-session.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterBar, TextFilter } from '../../parts/filters.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { Note } from '../../parts/note.tsx'
import { count } from '../../parts/numbers.ts'
import { RemainingAccess } from '../../parts/remaining-access.tsx'
import { showToast } from '../../parts/toast.tsx'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { useScope } from '../../shell/scope.tsx'
import { useClients, useTotals } from './client-queries.ts'
import { ClientTable } from './client-table.tsx'
import { found, nextSort } from './order.ts'
import type { ClientSearch } from './search.ts'
import { Totals } from './totals.tsx'
import { UnlinkDialog } from './unlink-dialog.tsx'
import { useRefresh } from './use-refresh.ts'

/** How many clients a search or an order shows at once. A browser takes half a minute for 10,000 rows. */
const rowsAtOnce = 200

type Open = { client: AgencyClientUsage; cut: CutAgencyLink | null }

/** The sums of a month, and the clients with what each used: searched, sorted, and with a menu that cuts the link. */
export function ClientList({ month }: { month: string }) {
  const { can, membership } = useScope()
  const search = useSearch('/o/$orgId/clients')
  const navigate = useNavigate('/o/$orgId/clients')
  const refresh = useRefresh()
  const [open, setOpen] = useState<Open | null>(null)
  const { q, sort } = search
  const [more, setMore] = useState({ q, rows: rowsAtOnce })
  const rowsMax = more.q === q ? more.rows : rowsAtOnce
  const totals = useTotals(month)
  const { all, clients, needsAll, isAsked } = useClients(month, search)
  const total = all.data?.pages[0]?.pagination.total ?? 0
  const read = clients.data?.pages.flatMap(({ data }) => data) ?? []
  const names = useNames(read)
  const named = read.map((client) => ({ ...client, name: names.get(client.org_id) ?? client.name }))
  const matching = found(named, isAsked ? { sort } : search)
  const toRead = clients.data?.pages[0]?.pagination.total ?? 0
  const hits = isAsked ? toRead : matching.length
  const isSearching = clients.isPlaceholderData || (needsAll && clients.hasNextPage)
  const shown = needsAll ? matching.slice(0, rowsMax) : matching
  const show = (next: ClientSearch) =>
    void navigate({ search: (all) => ({ ...all, ...next }), replace: true })
  // The server refuses everybody else.
  const isOwner = membership.role === 'owner' && membership.permissions === null
  return (
    <>
      <Loaded query={all}>
        {() =>
          total === 0 ? (
            <NoClients />
          ) : (
            <>
              <Totals query={totals} />
              <FilterBar
                isFiltered={q !== undefined}
                onClear={() => show({ q: undefined })}
                end={<InvitationsLink />}
              >
                <TextFilter
                  label="Search clients"
                  isLabelHidden
                  placeholder="Search clients"
                  value={q ?? ''}
                  onChange={(next) => show({ q: next || undefined })}
                />
              </FilterBar>
              <Loaded query={clients}>
                {() => (
                  <>
                    {shown.length > 0 && (
                      <ClientTable
                        clients={shown}
                        sort={sort}
                        onSort={(field) => show({ sort: nextSort(sort, field) })}
                        onUnlink={
                          isOwner && can('agency:manage') ? (client) => setOpen({ client, cut: null }) : null
                        }
                      />
                    )}
                    <p className="sr" role="status">
                      {q !== undefined && !isSearching && `${count(hits)} found`}
                    </p>
                    <Foot
                      query={clients}
                      needsAll={needsAll}
                      read={read.length}
                      toRead={toRead}
                      found={hits}
                      total={total}
                      onMore={
                        shown.length < matching.length
                          ? () => setMore({ q, rows: rowsMax + rowsAtOnce })
                          : null
                      }
                      q={q}
                    />
                  </>
                )}
              </Loaded>
            </>
          )
        }
      </Loaded>
      {open?.cut === null && (
        <UnlinkDialog
          client={open.client}
          onClose={() => setOpen(null)}
          onUnlinked={(cut) => {
            const isDone = cut === null || cut.api_keys.length + cut.members.length === 0
            setOpen(isDone ? null : { ...open, cut })
            if (isDone) showToast(`The link to ${open.client.name} ${cut ? 'is' : 'was already'} cut.`)
            refresh()
          }}
        />
      )}
      {open?.cut && (
        <RemainingAccess
          agency={membership.org_name}
          client={open.client.name}
          cut={open.cut}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

/** The names of the clients that were read. Equal names end with a part of the id. */
function useNames(read: readonly AgencyClientUsage[]): ReadonlyMap<string, string> {
  // An equal name counts also on a page that was not read yet.
  const { memberships } = useSession()
  return distinctNames([...memberships.map(({ org_id, org_name: name }) => ({ org_id, name })), ...read])
}

/** Below the clients: how many of them the search and the order take into account, and what failed. */
function Foot({
  query,
  needsAll,
  read,
  toRead,
  found,
  total,
  onMore,
  q,
}: {
  query: ReturnType<typeof useClients>['clients']
  needsAll: boolean
  read: number
  toRead: number
  found: number
  total: number
  onMore: (() => void) | null
  q: string | undefined
}) {
  if (needsAll && query.isFetchNextPageError)
    return (
      <div className="pad">
        <Note kind="bad">
          <p>
            Only {count(read)} of {count(toRead)} clients were read: {problemElsewhere(query.error, [])}
          </p>
          <p style={{ paddingTop: 4 }}>
            <Button onClick={() => void query.fetchNextPage()}>Read the others</Button>
          </p>
        </Note>
      </div>
    )
  // The rows still belong to the previous search.
  if (q !== undefined && query.isPlaceholderData)
    return (
      <p className="pad three" role="status">
        Searching …
      </p>
    )
  if (needsAll && query.hasNextPage)
    return (
      <p className="pad three" role="status">
        Reading the clients: {count(read)} of {count(toRead)} …
      </p>
    )
  if (onMore)
    return (
      <div className="pad rail wrap">
        <Button onClick={onMore}>Show more clients</Button>
        <span className="three">
          {count(found)} of {count(total)} clients
        </span>
      </div>
    )
  if (q === undefined)
    return <NextPageButton query={query} act="Show more clients" end="There are no more clients." />
  if (found > 0 && query.hasNextPage)
    return <NextPageButton query={query} act={`Show more of ${count(found)} clients`} end="" />
  if (found > 0)
    return (
      <p className="pad three">
        {count(found)} of {count(total)} clients
      </p>
    )
  return (
    <Empty icon="search" title={`No client matches “${q}”`}>
      <p className="two">The search looks for a part of the name, or for a whole id.</p>
    </Empty>
  )
}

function InvitationsLink() {
  const { orgId } = useScope()
  return (
    <Link to="/o/$orgId/clients" params={{ orgId }} search={{ view: 'invitations' }} className="link end">
      Invitations
    </Link>
  )
}

const NoClients = () => (
  <Empty icon="merge" title="There are no clients yet">
    <p className="two">
      A client that you create belongs to your agency. Other organizations accept an invitation.
    </p>
    <p>
      <InvitationsLink />
    </p>
    <Code label="Create a client with curl">
      {curl('/agency/clients', { method: 'POST', body: { name: 'Northwind' } })}
    </Code>
  </Empty>
)
