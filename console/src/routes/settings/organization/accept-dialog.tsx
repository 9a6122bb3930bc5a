import { useState } from 'react'
import type { Agency, PreviewedAgency } from '../../../../../sdk/src/generated/types.ts'
import { AgencyRights } from '../../../parts/agency-rights.tsx'
import { TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

/** Accepts the invitation of an agency, by its link or by the token in the link. First shows which agency it is. */
export function AcceptDialog({
  onClose,
  onAccepted,
}: {
  onClose: () => void
  onAccepted: (agency: Agency) => void
}) {
  const { api, membership } = useScope()
  const [text, setText] = useState('')
  const [agency, setAgency] = useState<PreviewedAgency | null>(null)
  const { accept, preview } = api.organization.agencies
  const form = useSubmit(
    async () => {
      const invitation = { token: text.trim().replace(/^.*#/, '') }
      if (agency) onAccepted(await accept(invitation))
      else setAgency(await preview(invitation))
    },
    { places: ['token'] },
  )
  return (
    <FormDialog
      title="Accept the invitation of an agency"
      act={agency ? `Accept ${agency.name}` : 'Show the agency'}
      form={form}
      isBlocked={text.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label="Invitation"
        value={text}
        onChange={(next) => {
          setText(next)
          setAgency(null)
        }}
        error={form.errorAt('token')}
        hint="The link that the agency gave you, or its token: svc_invite_…"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        required
      />
      {agency && (
        <div className="stack two">
          <AgencyRights agency={agency.name} org={membership.org_name} hasClients={membership.is_agency} />
        </div>
      )}
    </FormDialog>
  )
}
