import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AgencyInvitation } from '../../../../sdk/src/generated/types.ts'
import { useOrgNames } from '../../api/use-session.ts'
import { Button } from '../../parts/button.tsx'
import { Confirmation } from '../../parts/confirmation.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { State } from '../../parts/state.tsx'
import { RowActions, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { Link } from '../../routing/link.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { AddButton } from './add-button.tsx'

const columns = [
  { name: 'Note' },
  { name: 'Token', width: 96, optional: true },
  { name: 'Made', width: 128, optional: true },
  { name: 'Expires', width: 128, optional: true },
  { name: 'Status', width: 120, phoneWidth: 104 },
  { name: 'Actions', width: 104, phoneWidth: 92, isHidden: true },
]

const states = { pending: 'run', accepted: 'ok', expired: 'off' } as const

/** The invitations of the agency, also accepted and expired ones. */
export function InvitationsPage() {
  const { orgId, api, can } = useScope()
  const [revoked, setRevoked] = useState<AgencyInvitation | null>(null)
  const invitations = useInfiniteQuery({
    queryKey: ['client-invitations', orgId],
    queryFn: ({ pageParam, signal }) =>
      api.agency.invitations.list({ limit: 100, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    refetchInterval: 60_000,
  })
  return (
    <Page name="Clients" part="Invitations" acts={<AddButton />}>
      <div className="pad stack">
        <p className="t12">
          <Link to="/o/$orgId/clients" params={{ orgId }} className="link">
            All clients
          </Link>
        </p>
        <p className="two">An organization that accepts an invitation becomes a client.</p>
      </div>
      <Loaded query={invitations}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data)
          return all.length === 0 ? (
            <Empty icon="merge" title="There is no invitation yet">
              <p className="two">To link an organization that exists, add a client and invite it.</p>
            </Empty>
          ) : (
            <>
              <InvitationTable all={all} onRevoke={can('agency:manage') ? setRevoked : null} />
              <NextPageButton
                query={invitations}
                act="Show older invitations"
                end="There are no older invitations."
              />
            </>
          )
        }}
      </Loaded>
      {revoked && (
        <Confirmation
          title={`Revoke the invitation ${nameOf(revoked)}?`}
          act="Revoke"
          work={async () => api.agency.invitations.revoke(revoked.invitation_id)}
          onClose={() => setRevoked(null)}
          onDone={() => {
            setRevoked(null)
            showToast('The invitation was revoked.')
            void invitations.refetch()
          }}
        >
          <p>
            {revoked.status === 'expired' ? 'Its token has expired.' : 'Its token stops working at once.'} You
            can create another invitation at any time.
          </p>
        </Confirmation>
      )}
    </Page>
  )
}

const InvitationTable = ({
  all,
  onRevoke,
}: {
  all: readonly AgencyInvitation[]
  onRevoke: ((invitation: AgencyInvitation) => void) | null
}) => (
  <Table label="Invitations" columns={columns} hasControls={onRevoke !== null}>
    {all.map((invitation) => (
      <tr key={invitation.invitation_id}>
        <th scope="row" title={invitation.label ?? undefined}>
          {invitation.label ?? <span className="three">without a note</span>}
          {invitation.client_org_id && <AcceptedBy orgId={invitation.client_org_id} />}
        </th>
        <td className="opt mono">…{invitation.token_hint}</td>
        <td className="opt">
          <Time at={invitation.created_at} />
        </td>
        <td className="opt">
          <Time at={invitation.expires_at} />
        </td>
        <td>
          <State kind={states[invitation.status]}>{invitation.status}</State>
        </td>
        <td>
          {onRevoke && invitation.status !== 'accepted' && (
            <RowActions>
              <Button
                kind="quiet"
                danger
                aria-label={`Revoke the invitation ${nameOf(invitation)}`}
                onClick={() => onRevoke(invitation)}
              >
                Revoke
              </Button>
            </RowActions>
          )}
        </td>
      </tr>
    ))}
  </Table>
)

/** Leads to the client that accepted an invitation; nothing if its link was cut. */
function AcceptedBy({ orgId }: { orgId: string }) {
  const name = useOrgNames().get(orgId)
  if (!name) return null
  return (
    <p className="t12 three cut">
      accepted by{' '}
      <Link to="/o/$orgId" params={{ orgId }} className="link">
        {name}
      </Link>
    </p>
  )
}

const nameOf = ({ label, token_hint }: AgencyInvitation): string =>
  label === null ? `with the token …${token_hint}` : `“${label}”`
