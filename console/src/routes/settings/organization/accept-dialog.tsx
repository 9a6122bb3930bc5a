import { useState } from 'react'
import type { Agency } from '../../../../../sdk/src/generated/types.ts'
import { AgencyRights } from '../../../parts/agency-rights.tsx'
import { TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

/** Accepts the invitation of an agency, by its link or by the token in the link. */
export function AcceptDialog({
  onClose,
  onAccepted,
}: {
  onClose: () => void
  onAccepted: (agency: Agency) => void
}) {
  const { api, membership } = useScope()
  const [text, setText] = useState('')
  const form = useSubmit(
    async () => api.organization.agencies.accept({ token: text.trim().replace(/^.*#/, '') }),
    { places: ['token'], onDone: onAccepted },
  )
  return (
    <FormDialog
      title="Accept the invitation of an agency"
      act="Accept"
      form={form}
      isBlocked={text.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label="Invitation"
        value={text}
        onChange={setText}
        error={form.errorAt('token')}
        hint="The link that the agency gave you, or its token: svc_invite_…"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        required
      />
      <div className="stack two">
        <AgencyRights org={membership.org_name} />
      </div>
    </FormDialog>
  )
}
