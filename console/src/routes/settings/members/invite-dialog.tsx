import { useState } from 'react'
import type { MadeLink, RecordAccess, Role } from '../../../api/generated/types.ts'
import { Choices } from '../../../parts/choices.tsx'
import { TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { mayBeLimited, nameOfAccess, outranks, recordAccess, roles } from './roles.ts'

/** Makes a link with which a person joins. A new link for the same address replaces the earlier one. */
export function InviteDialog({
  rank,
  onClose,
  onInvited,
}: {
  /** The role that counts for what the person may give: see `outranks`. */
  rank: Role
  onClose: () => void
  onInvited: (link: MadeLink, about: string) => void
}) {
  const { api } = useScope()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [access, setAccess] = useState<RecordAccess>('all')
  const limit = mayBeLimited(role) ? access : 'all'
  const about = `Invitation for ${email}, as ${role}${limit === 'all' ? '' : `, with ${nameOfAccess(limit)}`}`
  const form = useSubmit(async () => api.members.invite({ email, role, record_access: limit }), {
    places: ['email', 'role', 'record_access'],
    onDone: (link) => onInvited(link, about),
  })
  const { errorAt } = form
  return (
    <FormDialog title="Invite a person" act="Create the link" form={form} onClose={onClose}>
      <TextField
        label="E-mail"
        type="email"
        value={email}
        onChange={setEmail}
        error={errorAt('email')}
        hint="The person signs in with it. Crosswalk sends no mail: you get a link to send yourself."
        autoComplete="off"
        autoFocus
        required
      />
      <Choices
        label="Role"
        value={role}
        options={roles.filter(({ value }) => outranks(rank, value))}
        onChange={setRole}
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
    </FormDialog>
  )
}
