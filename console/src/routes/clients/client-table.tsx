import { Link } from '@tanstack/react-router'
import type { AgencyClientUsage, AgencyUsageTotals } from '../../../../sdk/src/generated/types.ts'
import { useSession } from '../../api/use-session.ts'
import type { Figure } from '../../parts/figures.tsx'
import { count } from '../../parts/numbers.ts'
import { type Column, Table } from '../../parts/table.tsx'

const columns: Column[] = [
  { name: 'Client' },
  { name: 'Requests', width: 120, phoneWidth: 96, isNumber: true },
  { name: 'Refused', width: 110, optional: true, isNumber: true },
  { name: 'Calls', width: 90, optional: true, isNumber: true },
  { name: 'Minutes', width: 100, phoneWidth: 90, isNumber: true },
  { name: 'Changes', width: 110, optional: true, isNumber: true },
  { name: 'Webhooks', width: 120, optional: true, isNumber: true },
]

/** What each client used. The name leads to the client if the person may act on it. */
export function ClientTable({ clients }: { clients: readonly AgencyClientUsage[] }) {
  const reached = new Set(useSession().memberships.map(({ org_id }) => org_id))
  return (
    <Table label="Clients" columns={columns}>
      {clients.map((client) => (
        <tr key={client.org_id}>
          <th scope="row">
            {reached.has(client.org_id) ? (
              <Link className="cut link" to="/o/$orgId" params={{ orgId: client.org_id }}>
                {client.name}
              </Link>
            ) : (
              <span className="cut">{client.name}</span>
            )}
          </th>
          <td className="num">{count(client.requests)}</td>
          <td className={client.rate_limited > 0 ? 'num opt bad' : 'num opt'}>
            {count(client.rate_limited)}
          </td>
          <td className="num opt">{count(client.calls)}</td>
          <td className="num">{count(client.call_minutes)}</td>
          <td className="num opt">{count(client.events)}</td>
          <td className="num opt">{count(client.webhooks_delivered + client.webhooks_failed)}</td>
        </tr>
      ))}
    </Table>
  )
}

/** The sums of all clients. */
export const figuresOf = (totals: AgencyUsageTotals): readonly Figure[] => [
  { name: 'Clients', value: count(totals.clients) },
  {
    name: 'Requests',
    value: count(totals.requests),
    about: totals.rate_limited > 0 ? `${count(totals.rate_limited)} refused with 429` : null,
  },
  { name: 'Calls', value: count(totals.calls), about: `${count(totals.call_minutes)} minutes` },
  { name: 'Changes', value: count(totals.events) },
  {
    name: 'Webhook requests',
    value: count(totals.webhooks_delivered + totals.webhooks_failed),
    about: totals.webhooks_failed > 0 ? `${count(totals.webhooks_failed)} failed` : null,
  },
]
