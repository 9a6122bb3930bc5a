import type { AgencyClientUsage } from '../../../../sdk/src/generated/types.ts'
import { useSession } from '../../api/use-session.ts'
import { MenuButton } from '../../parts/menu.tsx'
import { count } from '../../parts/numbers.ts'
import { type Column, RowActions, Table } from '../../parts/table.tsx'
import { Link } from '../../routing/link.tsx'
import { webhooksOf } from './order.ts'
import type { ClientSearch, SortField } from './search.ts'

const columns: (Column & { field: SortField })[] = [
  { field: 'name', name: 'Client' },
  { field: 'requests', name: 'Requests', width: 100, phoneWidth: 96, isNumber: true },
  { field: 'rate_limited', name: 'Refused', width: 92, optional: true, isNumber: true },
  { field: 'calls', name: 'Calls', width: 76, optional: true, isNumber: true },
  { field: 'call_minutes', name: 'Minutes', width: 92, optional: true, isNumber: true },
  { field: 'events', name: 'Changes', width: 96, optional: true, isNumber: true },
  { field: 'webhooks', name: 'Webhooks', width: 104, optional: true, isNumber: true },
  { field: 'webhooks_failed', name: 'Not delivered', width: 120, optional: true, isNumber: true },
]
const actions: Column = { name: 'Actions', width: 56, phoneWidth: 60, isHidden: true }

/** What each client used. The name leads to the client if the person may act on it. */
export function ClientTable({
  clients,
  sort,
  onSort,
  onUnlink,
}: {
  clients: readonly AgencyClientUsage[]
  sort: ClientSearch['sort']
  onSort: (field: SortField) => void
  /** null: the person may not cut links. */
  onUnlink: ((client: AgencyClientUsage) => void) | null
}) {
  const reached = new Set(useSession().memberships.map(({ org_id }) => org_id))
  const heads = columns.map(({ field, ...column }) => ({
    ...column,
    order: sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none',
    onSort: () => onSort(field),
  })) satisfies Column[]
  return (
    <Table label="Clients" columns={onUnlink ? [...heads, actions] : heads}>
      {clients.map((client) => (
        <tr key={client.org_id}>
          <th scope="row" title={client.name}>
            {reached.has(client.org_id) ? (
              <span className="rail">
                <Link className="cut link" to="/o/$orgId" params={{ orgId: client.org_id }}>
                  {client.name}
                </Link>
              </span>
            ) : (
              client.name
            )}
          </th>
          <td className="num">{count(client.requests)}</td>
          <td className={client.rate_limited > 0 ? 'num opt bad' : 'num opt'}>
            {count(client.rate_limited)}
          </td>
          <td className="num opt">{count(client.calls)}</td>
          <td className="num opt">{count(client.call_minutes)}</td>
          <td className="num opt">{count(client.events)}</td>
          <td className="num opt">{count(webhooksOf(client))}</td>
          <td className={client.webhooks_failed > 0 ? 'num opt bad' : 'num opt'}>
            {count(client.webhooks_failed)}
          </td>
          {onUnlink && (
            <td>
              <RowActions>
                <MenuButton
                  label={`Actions for ${client.name}`}
                  acts={[{ name: 'Cut the link', icon: 'close', danger: true, run: () => onUnlink(client) }]}
                />
              </RowActions>
            </td>
          )}
        </tr>
      ))}
    </Table>
  )
}
