import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectedApp } from '../../../../../sdk/src/generated/types.ts'
import { useSession } from '../../../api/use-session.ts'
import { appPermissionName } from '../../../parts/app-permissions.ts'
import { Button } from '../../../parts/button.tsx'
import { Code } from '../../../parts/code.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { CopyButton } from '../../../parts/copy.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { NextPageButton } from '../../../parts/more.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { RowActions, Table } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { Connected } from './connected.tsx'
import { NarrowDialog } from './narrow-dialog.tsx'

const columns = [
  { name: 'App' },
  { name: 'Person', width: 160, optional: true },
  { name: 'May', width: 150, optional: true },
  { name: 'Last used', width: 120, optional: true },
  { name: 'Actions', width: 200, isHidden: true },
]

/** The AI hosts that are connected to the organization. */
export function ConnectedAppsPage() {
  const { orgId, api, can, membership } = useScope()
  const { member, memberships } = useSession()
  const queries = useQueryClient()
  const [open, setOpen] = useState<ConnectedApp | null>(null)
  const [narrowed, setNarrowed] = useState<ConnectedApp | null>(null)
  // With several organizations, the sign-in would suggest another one than the open one, such as the agency of a client.
  const address = `${location.origin}/mcp${memberships.length > 1 ? `/${orgId}` : ''}`
  const queryKey = ['connected-apps', orgId]
  const apps = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.connectedApps.list({ limit: 100, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  })
  const done = (words: string) => {
    setOpen(null)
    setNarrowed(null)
    showToast(words)
    void queries.invalidateQueries({ queryKey })
  }
  const mayChange = (app: ConnectedApp) => app.member_id === member.member_id || can('members:manage')
  return (
    <>
      <SettingsHead title="Connected apps">
        AI hosts such as Claude, ChatGPT, Cursor and VS Code work in Crosswalk in your name. Each may do only
        what you chose, and never more than your role.
        {membership.is_agency && ' The settings of each client list the apps that work in the client.'}
      </SettingsHead>
      <Loaded query={apps}>
        {({ pages }) =>
          pages[0]?.data.length === 0 ? (
            <Empty icon="open" title="No app is connected">
              <p className="two">
                Add this address as a connector or MCP server in the app. It then sends you here to sign in.
              </p>
              <Code label="The address of the tool server">{address}</Code>
              <CopyButton kind="main" text={address} label="Copy the address" />
            </Empty>
          ) : (
            <>
              <div className="rule">
                <Table label="Connected apps" columns={columns}>
                  {pages
                    .flatMap(({ data }) => data)
                    .map((app) => (
                      <tr key={app.connected_app_id}>
                        <th scope="row" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                          {app.client_name} <span className="three">{app.client_host}</span>
                        </th>
                        <td className="opt" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                          {app.member_name ?? 'no member any more'}
                        </td>
                        <td className="opt" title={app.permissions.map(appPermissionName).join('\n')}>
                          {app.mode === 'test' ? 'test, ' : ''}
                          {app.permissions.length === 1
                            ? '1 permission'
                            : `${app.permissions.length} permissions`}
                        </td>
                        <td className="opt">
                          <Time at={app.last_used_at} />
                        </td>
                        <td>
                          {mayChange(app) && (
                            <RowActions>
                              <Button
                                aria-label={`Change what ${app.client_name} may do`}
                                onClick={() => setNarrowed(app)}
                              >
                                Change
                              </Button>
                              <Button
                                aria-label={`Disconnect ${app.client_name}`}
                                onClick={() => setOpen(app)}
                              >
                                Disconnect
                              </Button>
                            </RowActions>
                          )}
                        </td>
                      </tr>
                    ))}
                </Table>
              </div>
              {apps.hasNextPage && <NextPageButton query={apps} act="Show older apps" end="" />}
              <Section
                title="Connect another app"
                about="Add this address as a connector or MCP server in the app."
                act={<CopyButton text={address} label="Copy the address" />}
              >
                <SectionBody>
                  <Code label="The address of the tool server">{address}</Code>
                </SectionBody>
              </Section>
            </>
          )
        }
      </Loaded>
      {open && (
        <Confirmation
          title={`Disconnect ${open.client_name}?`}
          act="Disconnect"
          work={async () => api.connectedApps.revoke(open.connected_app_id)}
          onClose={() => setOpen(null)}
          onDone={() => done(`${open.client_name} was disconnected.`)}
        >
          <p>
            <Connected app={open} /> It cannot use Crosswalk any more. To use it again, connect it in the app.
          </p>
        </Confirmation>
      )}
      {narrowed && (
        <NarrowDialog
          app={narrowed}
          onClose={() => setNarrowed(null)}
          onDone={() => done(`${narrowed.client_name} may do less now.`)}
        />
      )}
    </>
  )
}
