import { useState } from 'react'
import type { Agency, CutAgency, CutAgencyLink } from '../../../../../sdk/src/generated/types.ts'
import { unlessGone } from '../../../api/unless-gone.ts'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Checkbox } from '../../../parts/field.tsx'
import { RemainingAccess } from '../../../parts/remaining-access.tsx'
import { Link } from '../../../routing/link.tsx'
import { useScope } from '../../../shell/scope.tsx'

/** Asks before an agency loses its access. `onCut` gets null if the link was already cut. */
export function CutDialog({
  agency: { org_id, name },
  onClose,
  onCut,
}: {
  agency: Agency
  onClose: () => void
  onCut: (cut: CutAgency | null) => void
}) {
  const { api, membership } = useScope()
  const [revokesKeys, setRevokesKeys] = useState(false)
  return (
    <Confirmation
      title={`Cut the link to ${name}?`}
      act="Cut the link"
      work={() =>
        unlessGone(async () => api.organization.agencies.unlink(org_id, { revoke_keys: revokesKeys }))
      }
      onClose={onClose}
      onDone={onCut}
    >
      <p>
        Within 2 seconds, the people and programs of {name} can no longer act on {membership.org_name}. No
        record is changed or deleted.
      </p>
      <p>
        Imports, bulk changes, CRM pushes and calls that {name} started continue, until you cancel them.
        Connections to a CRM remain: check under CRM that each of them leads to a CRM of yours.
      </p>
      <p>
        API keys that {name} made here, and members whom its people invited, keep their access. The next
        dialog lists them, so that you can remove them. To link {name} again, you need a new invitation.
      </p>
      <Checkbox checked={revokesKeys} onChange={setRevokesKeys}>
        Also delete the API keys that {name} made here. Programs that use them stop working.
      </Checkbox>
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
