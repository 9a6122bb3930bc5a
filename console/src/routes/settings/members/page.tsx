import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MadeLink, Member, Role } from '../../../api/generated/types.ts'
import { sessionQuery } from '../../../api/session.ts'
import { useSession } from '../../../api/use-session.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Table } from '../../../parts/table.tsx'
import { membersQuery } from '../../../queries/members.ts'
import { useScope } from '../../../shell/scope.tsx'
import { SettingsActions } from '../../../shell/settings-actions.tsx'
import { SettingsHead } from '../../../shell/settings-head.tsx'
import { useKey } from '../../../shell/use-key.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import { PendingLinks } from './pending-links.tsx'
import { RecoveryDialog } from './recovery-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { outranks } from './roles.ts'
import { Teams } from './teams.tsx'

type Open =
  | { kind: 'invite' }
  | { kind: 'change' | 'recovery' | 'remove'; member: Member }
  | { kind: 'link'; link: MadeLink; about: string }

const columns = [
  { name: 'Name' },
  { name: 'E-mail', optional: true },
  { name: 'Role', width: 112 },
  { name: 'Second factor', width: 116, optional: true },
  { name: 'Last seen', width: 108, optional: true },
  { name: 'Actions', width: 64, isHidden: true },
]

/** The people who may act on the organization, and the links with which others may join. */
export function MembersPage() {
  const scope = useScope()
  const { orgId, can, membership } = scope
  const { member: self } = useSession()
  const [open, setOpen] = useState<Open | null>(null)
  const queries = useQueryClient()
  const members = useQuery({
    ...membersQuery(scope),
    refetchInterval: 60_000,
  })
  // A sandbox has no members of its own.
  const mayManage = can('members:manage') && membership.via !== 'sandbox'
  const hasOwner = members.data?.some(({ role, permissions }) => role === 'owner' && permissions === null)
  // People of an agency cannot change the owners of a client that has an owner.
  const rank: Role = membership.via === 'agency' && hasOwner ? lowerOf(membership.role) : membership.role
  const close = () => setOpen(null)
  const refresh = (memberId?: string) => {
    close()
    void members.refetch()
    void queries.invalidateQueries({ queryKey: ['member-links', orgId] })
    if (memberId === self.member_id) void queries.invalidateQueries(sessionQuery)
  }
  const showLink = (link: MadeLink, about: string) => {
    refresh()
    setOpen({ kind: 'link', link, about })
  }
  useKey('c', () => mayManage && setOpen({ kind: 'invite' }))
  // The list is read again while a dialog is open, so that it shows what somebody else changed.
  const current = ({ member_id: id, ...member }: Member): Member =>
    members.data?.find(({ member_id }) => member_id === id) ?? { member_id: id, ...member }
  return (
    <>
      <SettingsActions>
        {mayManage && (
          <Button kind="main" icon="plus" shortcut="C" onClick={() => setOpen({ kind: 'invite' })}>
            Invite
          </Button>
        )}
      </SettingsActions>
      <SettingsHead title="Members">
        The people who may sign in and act on {membership.org_name}. Programs use API keys.
      </SettingsHead>
      <Loaded query={members} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <NoMembers />
          ) : (
            <div className="rule">
              <Table label="Members" columns={columns}>
                {list.map((member) => (
                  <MemberRow
                    key={member.member_id}
                    member={member}
                    isSelf={member.member_id === self.member_id}
                    onLeave={() => setOpen({ kind: 'remove', member })}
                    onOpen={
                      mayManage && outranks(rank, member.role) ? (kind) => setOpen({ kind, member }) : null
                    }
                  />
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
      <Teams members={members.data ?? []} mayManage={mayManage} />
      {mayManage && <PendingLinks />}
      {open?.kind === 'invite' && <InviteDialog rank={rank} onClose={close} onInvited={showLink} />}
      {open?.kind === 'change' && (
        <ChangeDialog member={current(open.member)} rank={rank} onClose={close} onChanged={refresh} />
      )}
      {open?.kind === 'recovery' && <RecoveryDialog member={open.member} onClose={close} onMade={showLink} />}
      {open?.kind === 'remove' && (
        <RemoveDialog
          member={open.member}
          others={(members.data ?? []).filter(({ member_id }) => member_id !== open.member.member_id)}
          isSelf={open.member.member_id === self.member_id}
          mayChoose={mayManage}
          onClose={close}
          onRemoved={refresh}
        />
      )}
      {open?.kind === 'link' && <LinkDialog link={open.link} about={open.about} onClose={close} />}
    </>
  )
}

const lowerOf = (role: Role): Role => (role === 'owner' ? 'admin' : role)

const NoMembers = () => (
  <Empty icon="people" title="This organization has no members of its own">
    <p className="two">
      Members of its agency, or of the organization that made the sandbox, act on it with their own role.
    </p>
  </Empty>
)
