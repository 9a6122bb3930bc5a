import { Link } from '@tanstack/react-router'
import type { Agency, CutAgencyLink } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
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

/** Lists the access that a former agency made in the organization, and that still works. */
export function RemainsDialog({
  name,
  cut: { api_keys, members },
  onClose,
}: {
  name: string
  cut: CutAgencyLink
  onClose: () => void
}) {
  const { orgId } = useScope()
  return (
    <Dialog
      title={`Some access of ${name} remains`}
      onClose={onClose}
      foot={
        <Button kind="main" onClick={onClose} data-autofocus>
          Close
        </Button>
      }
    >
      {api_keys.length > 0 && (
        <div className="stack g4">
          <p className="two">
            These API keys work until you delete them under{' '}
            <Link to="/o/$orgId/settings/api" params={{ orgId }} className="link">
              Settings, API
            </Link>
            :
          </p>
          <ul className="stack g4">
            {api_keys.map((key) => (
              <li key={key.api_key_id} className="strong">
                {key.name}
              </li>
            ))}
          </ul>
        </div>
      )}
      {members.length > 0 && (
        <div className="stack g4">
          <p className="two">
            People of {name} invited these members. Remove the ones who do not belong here under{' '}
            <Link to="/o/$orgId/settings/members" params={{ orgId }} className="link">
              Settings, Members
            </Link>
            :
          </p>
          <ul className="stack g4">
            {members.map((member) => (
              <li key={member.member_id}>
                <span className="strong">{member.name}</span>
                <span className="three">, {member.role}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  )
}
