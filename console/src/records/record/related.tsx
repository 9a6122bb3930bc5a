import { useQuery } from '@tanstack/react-query'
import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { Initials } from '../../parts/initials.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { count, money } from '../../parts/numbers.ts'
import { Tag } from '../../parts/tag.tsx'
import { useScope } from '../../shell/scope.tsx'
import { idOf, people, type RecordKind, type ShownRecord } from '../kinds.ts'
import { Part } from './part.tsx'
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
  const deals = useQuery({
    queryKey: ['record-deals', orgId, id],
    queryFn: async ({ signal }) => api.deals.list({ [field]: id, limit: shownMax }, { signal }),
  })
  return (
    <Part name="Deals" about={deals.data && count(deals.data.pagination.total)}>
      <Loaded query={deals} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="two">There is no deal yet.</p>
          ) : (
            <ul>
              {data.map((deal) => (
                <DealRow key={deal.deal_id} orgId={orgId} deal={deal} />
              ))}
            </ul>
          )
        }
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
    <a className="cut" href={`/console/o/${orgId}/deals/${deal_id}`} title={name}>
      {name}
    </a>
    <Tag>{status === 'open' ? stage : status}</Tag>
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
  const filter = encodeURIComponent(JSON.stringify({ and: [{ field: 'company_id', op: 'eq', value: id }] }))
  return (
    <Part
      name="People"
      about={
        found.data && (
          <a className="link" href={`/console/o/${orgId}/people?filter=${filter}`}>
            All {count(found.data.pagination.total)}
          </a>
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

function PeopleOfDeal({ deal }: { deal: ShownRecord }) {
  const { orgId, api } = useScope()
  const ids = (Array.isArray(deal.contact_ids) ? deal.contact_ids : []).map(String)
  const found = useQuery({
    queryKey: ['deal-people', orgId, ids],
    queryFn: async ({ signal }) =>
      ids.length === 0
        ? []
        : (await people.apiOf(api).batchRead({ ids }, { signal })).flatMap(({ record }) => record ?? []),
    placeholderData: (before) => before,
  })
  return (
    <Part name="People" about={count(ids.length)}>
      <Loaded query={found} rows={2}>
        {(persons) =>
          persons.length === 0 ? (
            <p className="two">Nobody is linked to this deal.</p>
          ) : (
            <PersonList persons={persons} />
          )
        }
      </Loaded>
    </Part>
  )
}

function PersonList({ persons }: { persons: readonly ShownRecord[] }) {
  const { orgId } = useScope()
  return (
    <ul>
      {persons.map((person) => {
        const name = people.nameOf(person)
        return (
          <li key={idOf(people, person)} className={styles.deal}>
            <Initials name={name} />
            <a className="cut" href={`/console/o/${orgId}/people/${idOf(people, person)}`}>
              {name}
            </a>
            <span className="cut end three">{String(person.job_title ?? '')}</span>
          </li>
        )
      })}
    </ul>
  )
}
