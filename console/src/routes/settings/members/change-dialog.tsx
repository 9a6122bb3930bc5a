import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../../sdk/src/errors.ts'
import type { Member, Role } from '../../../api/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Choices } from '../../../parts/choices.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Note } from '../../../parts/note.tsx'
import { PermissionTable } from '../../../parts/permission-table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { membersQuery } from '../../../queries/members.ts'
import { useScope } from '../../../shell/scope.tsx'
import {
  mayBeLimited,
  nameOfAccess,
  outranks,
  permissionsOfRole,
  permissionsWithin,
  recordAccess,
  roleName,
  roles,
} from './roles.ts'

/**
 * Changes the role of a member, and limits its permissions and records. If somebody else changed the member, the dialog
 * first shows that change.
 */
export function ChangeDialog({
  member,
  rank,
  onClose,
  onChanged,
}: {
  member: Member
  /** The role that limits which roles the person may give: see `outranks`. */
  rank: Role
  onClose: () => void
  onChanged: (memberId: string) => void
}) {
  const scope = useScope()
  const { api } = scope
  const queries = useQueryClient()
  const { member_id, name, version } = member
  const [role, setRole] = useState<Role>(member.role)
  const [permissions, setPermissions] = useState(member.permissions)
  const [access, setAccess] = useState(member.record_access)
  const [seen, setSeen] = useState(version)
  const isChanged = version !== seen
  const save = async () => {
    try {
      return await api.members.update(
        member_id,
        {
          role,
          permissions: role === 'owner' ? null : permissions,
          record_access: mayBeLimited(role) ? access : 'all',
        },
        { ifMatch: seen },
      )
    } catch (error) {
      if (error instanceof ApiError && error.code === 'version_conflict')
        await queries.refetchQueries(membersQuery(scope))
      throw error
    }
  }
  const form = useSubmit(save, {
    places: ['role', 'permissions', 'record_access'],
    onDone: ({ role, permissions }) => {
      showToast(
        `The role of ${name} is ${roleName(role).toLowerCase()} now${permissions ? ', with limits' : ''}.`,
      )
      onChanged(member_id)
    },
  })
  const { errorAt, rest, error } = form
  const isConflict = error instanceof ApiError && error.code === 'version_conflict'
  return (
    <FormDialog
      title={`Role of ${name}`}
      act="Save"
      form={{ ...form, rest: isConflict ? null : rest }}
      isBlocked={isChanged}
      onClose={onClose}
      wide
    >
      <Choices
        label="Role"
        value={role}
        options={roles.filter(({ value }) => outranks(rank, value))}
        onChange={(next) => {
          setRole(next)
          setPermissions(null)
        }}
        error={errorAt('role')}
      />
      {mayBeLimited(role) && (
        <Choices
          label="Records"
          value={access}
          options={recordAccess}
          onChange={setAccess}
          error={errorAt('record_access')}
        />
      )}
      {role !== 'owner' && (
        <PermissionTable
          value={permissions}
          whole="All of the role"
          limit={permissionsOfRole(role)}
          onChange={(next) => setPermissions(next && permissionsWithin(role, next))}
          error={errorAt('permissions')}
        />
      )}
      {isChanged && (
        <Note kind="warn">
          <p>
            Somebody changed {name} in the meantime: the role is {member.role} now
            {member.permissions ? `, limited to ${member.permissions.join(', ')}` : ''}
            {member.record_access === 'all' ? '' : `, with ${nameOfAccess(member.record_access)}`}. Your
            choice is still here.
          </p>
          <p className="rail" style={{ paddingTop: 4 }}>
            <Button onClick={() => setSeen(version)}>Keep my choice</Button>
            <Button
              kind="quiet"
              onClick={() => {
                setRole(member.role)
                setPermissions(member.permissions)
                setAccess(member.record_access)
                setSeen(version)
              }}
            >
              Discard my choice
            </Button>
          </p>
        </Note>
      )}
    </FormDialog>
  )
}
