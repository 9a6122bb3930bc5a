import type { Agency, CutAgencyLink } from '../../../../../sdk/src/generated/types.ts'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { RemainingAccess } from '../../../parts/remaining-access.tsx'
import { Link } from '../../../routing/link.tsx'
import { useScope } from '../../../shell/scope.tsx'

/** Asks before an agency loses its access. */
export function CutDialog({
  agency: { org_id, name },
  onClose,
  onCut,
}: {
  agency: Agency
  onClose: () => void
  onCut: (cut: CutAgencyLink) => void
}) {
  const { api, membership } = useScope()
  return (
    <Confirmation
      title={`Cut the link to ${name}?`}
      act="Cut the link"
      work={async () => api.organization.agencies.unlink(org_id)}
      onClose={onClose}
      onDone={onCut}
    >
      <p>
        Within 2 seconds, the people and programs of {name} can no longer act on {membership.org_name}. No
        record is changed or deleted.
      </p>
      <p>
        API keys that {name} made here, and members whom its people invited, keep their access. The next
        dialog lists them, so that you can remove them. To link {name} again, you need a new invitation.
      </p>
    </Confirmation>
  )
}

/** Lists the access of a former agency that remains, with links to the settings that end it. */
export function RemainsDialog({
  name,
  cut,
  onClose,
}: {
  name: string
  cut: CutAgencyLink
  onClose: () => void
}) {
  const { orgId, membership } = useScope()
  return (
    <RemainingAccess
      agency={name}
      client={membership.org_name}
      cut={cut}
      apiPlace={
        <Link to="/o/$orgId/settings/api" params={{ orgId }} className="link">
          Settings, API
        </Link>
      }
      membersPlace={
        <Link to="/o/$orgId/settings/members" params={{ orgId }} className="link">
          Settings, Members
        </Link>
      }
      onClose={onClose}
    />
  )
}
