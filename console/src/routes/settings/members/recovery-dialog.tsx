import type { MadeLink, Member } from '../../../api/generated/types.ts'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { useScope } from '../../../shell/scope.tsx'

/** Makes a link for a member who cannot sign in any more. */
export function RecoveryDialog({
  member: { member_id, name, email, has_second_factor },
  onClose,
  onMade,
}: {
  member: Member
  onClose: () => void
  onMade: (link: MadeLink, about: string) => void
}) {
  const { api } = useScope()
  return (
    <Confirmation
      title={`Make a recovery link for ${name}?`}
      act="Create the link"
      isSafe
      showsSecret
      work={async () => api.members.offerRecovery({ member_id })}
      onClose={onClose}
      onDone={(link) => onMade(link, `Recovery link for ${email}`)}
    >
      <p>
        With the link, {name} chooses a new password or passkey. The old ones and all sessions of {name} end
        then. First make sure that it is {name} who asks.
      </p>
      {has_second_factor && <p>The authenticator app stays: a sign-in still asks for its code.</p>}
    </Confirmation>
  )
}
