import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member, Team } from '../../../api/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { MenuButton } from '../../../parts/menu.tsx'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { RowActions, Table } from '../../../parts/table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { TeamDialog } from './team-dialog.tsx'

const columns = [
  { name: 'Team', width: 200, phoneWidth: 120 },
  { name: 'Members' },
  { name: 'Actions', width: 64, isHidden: true },
]

type Open = { kind: 'create' } | { kind: 'change' | 'delete'; team: Team }

/** The teams, whose members may see the records of one another. */
export function Teams({ members, mayManage }: { members: readonly Member[]; mayManage: boolean }) {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const queryKey = ['teams', orgId]
  const teams = useQuery({ queryKey, queryFn: ({ signal }) => api.teams.list({ signal }) })
  const close = () => setOpen(null)
  const refresh = () => {
    close()
    void queries.invalidateQueries({ queryKey })
  }
  const namesOf = ({ member_ids: ids }: Team) =>
    members.flatMap(({ member_id: id, name }) => (ids.includes(id) ? [name] : [])).join(', ') || '–'
  return (
    <Section
      title="Teams"
      about="A member with the records of their teams sees what the members of the same teams own."
      act={mayManage && <Button onClick={() => setOpen({ kind: 'create' })}>New team</Button>}
    >
      <Loaded query={teams} rows={1}>
        {(list) =>
          list.length === 0 ? (
            <SectionBody>
              <p className="three">There is no team.</p>
            </SectionBody>
          ) : (
            <div className="rule">
              <Table label="Teams" columns={columns}>
                {list.map((team) => (
                  <tr key={team.team_id}>
                    <th scope="row" title={team.name}>
                      {team.name}
                    </th>
                    <td title={namesOf(team)}>{namesOf(team)}</td>
                    <td>
                      {mayManage && (
                        <RowActions>
                          <MenuButton
                            label={`Actions for ${team.name}`}
                            acts={[
                              {
                                name: 'Change',
                                icon: 'settings',
                                run: () => setOpen({ kind: 'change', team }),
                              },
                              {
                                name: 'Delete',
                                icon: 'trash',
                                danger: true,
                                run: () => setOpen({ kind: 'delete', team }),
                              },
                            ]}
                          />
                        </RowActions>
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
      {(open?.kind === 'create' || open?.kind === 'change') && (
        <TeamDialog
          team={open.kind === 'change' ? open.team : null}
          members={members}
          onClose={close}
          onSaved={refresh}
        />
      )}
      {open?.kind === 'delete' && (
        <Confirmation
          title={`Delete the team ${open.team.name}?`}
          act="Delete"
          work={async () => api.teams.delete(open.team.team_id)}
          onClose={close}
          onDone={() => {
            showToast(`${open.team.name} is deleted.`)
            refresh()
          }}
        >
          <p>Its members stay members. Those who see the records of their teams lose those of this team.</p>
        </Confirmation>
      )}
    </Section>
  )
}
