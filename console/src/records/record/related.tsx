import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { count, money } from '../../parts/numbers.ts'
import { Tag } from '../../parts/tag.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { idOf, people, type RecordKind, type ShownRecord } from '../kinds.ts'
import { Part } from './part.tsx'
import { PeopleOfDeal } from './people-of-deal.tsx'
import { PersonList } from './person-list.tsx'
import styles from './related.module.css'

const shownMax = 20

/** What refers to a record: its deals, and the people of a company; or the people of a deal. */
export function Related({ kind, record }: { kind: RecordKind; record: ShownRecord }) {
  const { can } = useScope()
  const id = idOf(kind, record)
  return (
    <>
      {kind.entity !== 'deal' && can('deals:read') && (
        <Deals field={kind.entity === 'contact' ? 'contact_ids' : 'company_id'} id={id} />
      )}
      {kind.entity === 'company' && can('contacts:read') && <Colleagues id={id} />}
      {kind.entity === 'deal' && can('contacts:read') && <PeopleOfDeal deal={record} />}
    </>
  )
}

function Deals({ field, id }: { field: 'contact_ids' | 'company_id'; id: string }) {
  const { orgId, api } = useScope()
  const deals = useInfiniteQuery({
    queryKey: ['record-deals', orgId, id],
    queryFn: ({ pageParam, signal }) =>
      api.deals.list({ [field]: id, limit: shownMax, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  })
  return (
    <Part name="Deals" about={deals.data?.pages[0] && count(deals.data.pages[0].pagination.total)}>
      <Loaded query={deals} rows={2}>
        {({ pages }) => {
          const shown = pages.flatMap(({ data }) => data)
          if (shown.length === 0) return <p className="two">There is no deal yet.</p>
          return (
            <>
              <ul>
                {shown.map((deal) => (
                  <DealRow key={deal.deal_id} orgId={orgId} deal={deal} />
                ))}
              </ul>
              {deals.hasNextPage && <NextPageButton query={deals} act="Show more deals" end="" />}
            </>
          )
        }}
      </Loaded>
    </Part>
  )
}

const DealRow = ({
  orgId,
  deal: { deal_id, name, status, stage, amount_cents, currency },
}: {
  orgId: string
  deal: Deal
}) => (
  <li className={styles.deal}>
    <Link className="cut" to="/o/$orgId/deals/$recordId" params={{ orgId, recordId: deal_id }} title={name}>
      {name}
    </Link>
    <Tag>
      <span className="cut">{status === 'open' ? stage : status}</span>
    </Tag>
    <span className="end">{amount_cents !== null && currency !== null && money(amount_cents, currency)}</span>
  </li>
)

function Colleagues({ id }: { id: string }) {
  const { orgId, api } = useScope()
  const found = useQuery({
    queryKey: ['record-people', orgId, id],
    queryFn: async ({ signal }) =>
      people
        .apiOf(api)
        .search(
          { filter: { field: 'company_id', op: 'eq', value: id }, sort: 'name', limit: shownMax },
          { signal },
        ),
  })
  return (
    <Part
      name="People"
      about={
        found.data && (
          <Link
            className="link"
            to="/o/$orgId/people"
            params={{ orgId }}
            search={{ filter: { and: [{ field: 'company_id', op: 'eq', value: id }] } }}
          >
            All {count(found.data.pagination.total)}
          </Link>
        )
      }
    >
      <Loaded query={found} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="two">Nobody is linked to this company.</p>
          ) : (
            <PersonList persons={data} />
          )
        }
      </Loaded>
    </Part>
  )
}
