import type { AgencyClientUsage, CutAgencyLink } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Confirmation } from '../../parts/confirmation.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useScope } from '../../shell/scope.tsx'

/** Asks before it cuts the link to a client. */
export function UnlinkDialog({
  client: { org_id, name },
  onClose,
  onUnlinked,
}: {
  client: AgencyClientUsage
  onClose: () => void
  onUnlinked: (cut: CutAgencyLink) => void
}) {
  const { api, membership } = useScope()
  return (
    <Confirmation
      title={`Cut the link to ${name}?`}
      act="Cut the link"
      work={async () => api.agency.clients.unlink(org_id)}
      onClose={onClose}
      onDone={onUnlinked}
    >
      <p>
        {name} and its data remain. {membership.org_name} can no longer act on it, and no longer sees its
        usage. To invoice it, download the CSV file first.
      </p>
      <p>A new link needs an invitation that the client accepts.</p>
    </Confirmation>
  )
}

/** Lists what the agency made in a former client, and that still works. */
export const RemainsDialog = ({
  name,
  cut: { api_keys, members },
  onClose,
}: {
  name: string
  cut: CutAgencyLink
  onClose: () => void
}) => (
  <Dialog
    title={`Some access to ${name} remains`}
    onClose={onClose}
    foot={
      <Button kind="main" onClick={onClose} data-autofocus>
        Close
      </Button>
    }
  >
    <p className="two">The link is cut. {name} can end the rest:</p>
    <ul className="stack g4">
      {api_keys.map((key) => (
        <li key={key.api_key_id}>
          The API key <b className="strong">{key.name}</b>
          <span className="three"> works until somebody deletes it</span>
        </li>
      ))}
      {members.map((member) => (
        <li key={member.member_id}>
          <b className="strong">{member.name}</b>
          <span className="three"> is {member.role} there until somebody removes the member</span>
        </li>
      ))}
    </ul>
  </Dialog>
)
