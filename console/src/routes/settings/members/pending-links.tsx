import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PendingLink } from '../../../api/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { RowActions, Table } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { nameOfAccess, roleName } from './roles.ts'

const columns = [
  { name: 'For' },
  { name: 'Link', width: 232, optional: true },
  { name: 'Made', width: 104, optional: true },
  { name: 'Expires', width: 104, phoneWidth: 88 },
  { name: 'Actions', width: 104, phoneWidth: 88, isHidden: true },
]

/** The links that nobody has used yet. */
export function PendingLinks() {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const [revoked, setRevoked] = useState<PendingLink | null>(null)
  const queryKey = ['member-links', orgId]
  const links = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.members.links.list({ signal }),
    refetchInterval: 60_000,
    // A set-up link is for the operator, and works only while there is no owner.
    select: (list) => list.filter(({ kind }) => kind !== 'set_up'),
  })
  return (
    <Section title="Open links" about="Invitations and recovery links that nobody has used yet.">
      <Loaded query={links} rows={1}>
        {(list) =>
          list.length === 0 ? (
            <SectionBody>
              <p className="three">There is no open link.</p>
            </SectionBody>
          ) : (
            <div className="rule">
              <Table label="Open links" columns={columns}>
                {list.map((link) => (
                  <tr key={link.link_id}>
                    <th scope="row" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                      {link.email}
                    </th>
                    <td className="opt">{wordsOf(link)}</td>
                    <td className="opt">
                      <Time at={link.created_at} />
                    </td>
                    <td>
                      <Time at={link.expires_at} />
                    </td>
                    <td>
                      <RowActions>
                        <Button
                          kind="quiet"
                          danger
                          aria-label={`Revoke the link for ${link.email}`}
                          onClick={() => setRevoked(link)}
                        >
                          Revoke
                        </Button>
                      </RowActions>
                    </td>
                  </tr>
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
      {revoked && (
        <Confirmation
          title="Revoke this link?"
          act="Revoke"
          work={async () => api.members.links.revoke(revoked.link_id)}
          onClose={() => setRevoked(null)}
          onDone={() => {
            setRevoked(null)
            showToast('The link was revoked.')
            void queries.invalidateQueries({ queryKey })
          }}
        >
          <p>
            The link for {revoked.email} ({wordsOf(revoked).toLowerCase()}) stops working at once. You can
            make a new link at any time.
          </p>
        </Confirmation>
      )}
    </Section>
  )
}

const wordsOf = ({ kind, role, record_access: access }: PendingLink): string => {
  if (kind === 'recovery') return 'Recovery link'
  const limit = access === 'all' ? '' : `, ${nameOfAccess(access)}`
  return `Invitation as ${roleName(role).toLowerCase()}${limit}`
}
