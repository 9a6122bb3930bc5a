import type { AgencyClientUsage, CutAgencyLink } from '../../../../sdk/src/generated/types.ts'
import { unlessGone } from '../../api/unless-gone.ts'
import { Confirmation } from '../../parts/confirmation.tsx'
import { useScope } from '../../shell/scope.tsx'

/** Asks before it cuts the link to a client. `onUnlinked` gets null if the link was already cut. */
export function UnlinkDialog({
  client: { org_id, name },
  onClose,
  onUnlinked,
}: {
  client: AgencyClientUsage
  onClose: () => void
  onUnlinked: (cut: CutAgencyLink | null) => void
}) {
  const { api, membership } = useScope()
  return (
    <Confirmation
      title={`Cut the link to ${name}?`}
      act="Cut the link"
      work={() => unlessGone(async () => api.agency.clients.unlink(org_id))}
      onClose={onClose}
      onDone={onUnlinked}
    >
      <p>
        Within 2 seconds, the people and programs of {membership.org_name} can no longer act on {name}, and{' '}
        {membership.org_name} no longer sees its usage. To invoice it, download the CSV file first. No record
        is changed or deleted. Imports, bulk changes, CRM pushes and calls that you started there continue.
      </p>
      <p>
        API keys that {membership.org_name} made there, and members whom its people invited, keep their
        access. The next dialog lists them. To link {name} again, {membership.org_name} sends a new
        invitation.
      </p>
      <p>
        If {name} has neither an owner nor an API key, only the operator can reach it after the cut. Invite an
        owner first, under Settings, Members of {name}.
      </p>
    </Confirmation>
  )
}
