import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Visitor } from '../../../../../sdk/src/generated/types.ts'
import { buttonLook } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { FilterBar, TextFilter } from '../../../parts/filters.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { NextPageButton } from '../../../parts/more.tsx'
import { count } from '../../../parts/numbers.ts'
import { Table } from '../../../parts/table.tsx'
import { Tag } from '../../../parts/tag.tsx'
import { Time } from '../../../parts/time.tsx'
import { Link } from '../../../routing/link.tsx'
import { useNavigate, useSearch } from '../../../routing/use-router.ts'
import { Page } from '../../../shell/page.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { useContactNames } from './use-contact-names.ts'
import { nameOf, sourceWords } from './words.ts'

const pageSize = 50

const columns = [
  { name: 'Visitor' },
  { name: 'Came from', width: 260, optional: true },
  { name: 'Views', width: 90, optional: true, isNumber: true },
  { name: 'Events', width: 90, optional: true, isNumber: true },
  { name: 'Last seen', width: 150, phoneWidth: 130 },
]

/** The visitors of the web pages, the last seen first. The filter is in the address. */
export function VisitorsPage() {
  const { orgId, mode, api } = useScope()
  const { user } = useSearch('/o/$orgId/visitors')
  const navigate = useNavigate('/o/$orgId/visitors')
  const visitors = useInfiniteQuery({
    queryKey: ['visitors', orgId, mode, user],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.visitors.list({ mode, user_key: user, limit: pageSize, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  })
  const userIds = useMemo(
    () => visitors.data?.pages.flatMap((page) => page.visitors.map(({ user_key }) => user_key)) ?? [],
    [visitors.data],
  )
  const contactNames = useContactNames(userIds)
  const change = (next: string | undefined) =>
    void navigate({ search: (all) => ({ ...all, user: next }), replace: true })
  return (
    <Page name="Visitors" part="of your web pages">
      <FilterBar isFiltered={user !== undefined} onClear={() => change(undefined)}>
        <TextFilter
          label="User id, as the page sends it"
          value={user ?? ''}
          placeholder="user-7"
          onChange={(text) => change(text || undefined)}
        />
      </FilterBar>
      <Loaded query={visitors}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.visitors)
          if (rows.length === 0) return <NoVisitors isFiltered={user !== undefined} />
          return (
            <>
              <Table label="Visitors" columns={columns}>
                {rows.map((visitor) => (
                  <VisitorRow
                    key={visitor.visitor_id}
                    visitor={visitor}
                    name={nameOf(visitor, contactNames)}
                  />
                ))}
              </Table>
              <NextPageButton query={visitors} act="Show more visitors" end="There are no more visitors." />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function VisitorRow({ visitor, name }: { visitor: Visitor; name: string }) {
  const { orgId } = useScope()
  const { visitor_id: visitorId, user_key, user_trust, first_source, views, events, last_seen_at } = visitor
  return (
    <tr>
      <th scope="row">
        <span className="rail">
          <Link
            className={user_key === null ? 'link cut mono' : 'link cut'}
            title={visitorId}
            to="/o/$orgId/visitors/$visitorId"
            params={{ orgId, visitorId }}
          >
            {name}
          </Link>
          {user_trust === 'claimed' && <Tag>claimed</Tag>}
        </span>
      </th>
      <td className="opt">
        <span className="cut">{sourceWords(first_source)}</span>
      </td>
      <td className="opt num">{count(views)}</td>
      <td className="opt num">{count(events)}</td>
      <td>
        <Time at={last_seen_at} />
      </td>
    </tr>
  )
}

function NoVisitors({ isFiltered }: { isFiltered: boolean }) {
  const { orgId, can } = useScope()
  if (isFiltered)
    return (
      <Empty icon="people" title="No visitor has this user id">
        <p className="two">Change or clear the filter. Upper and lower case count.</p>
      </Empty>
    )
  return (
    <Empty icon="people" title="Nobody visited yet">
      <p className="two">Each browser that sends events appears here. A page sends them with a write key.</p>
      {can('tracking:read') && (
        <Link to="/o/$orgId/settings/tracking" params={{ orgId }} {...buttonLook({})}>
          Open Settings → Tracking
        </Link>
      )}
    </Empty>
  )
}
