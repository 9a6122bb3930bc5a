import type { Member } from '../../../api/generated/types.ts'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'

/** Removes a member, or lets the person leave. */
export function RemoveDialog({
  member: { member_id, name },
  isSelf,
  onClose,
  onRemoved,
}: {
  member: Member
  isSelf: boolean
  onClose: () => void
  onRemoved: (memberId: string) => void
}) {
  const { api, membership } = useScope()
  const org = membership.org_name
  return (
    <Confirmation
      title={isSelf ? `Leave ${org}?` : `Remove ${name}?`}
      act={isSelf ? 'Leave' : 'Remove'}
      work={async () => api.members.remove(member_id)}
      onClose={onClose}
      onDone={() => {
        showToast(isSelf ? `You left ${org}.` : `${name} is no longer a member.`)
        onRemoved(member_id)
      }}
    >
      <p>
        {isSelf
          ? 'You lose access at once. To come back, you need a new invitation.'
          : `${name} loses access within 2 seconds, in every browser. To come back, ${name} needs a new invitation.`}
      </p>
      <p>
        Records and API keys that {isSelf ? 'you' : name} made stay. These API keys work until somebody
        deletes them.
      </p>
    </Confirmation>
  )
}
