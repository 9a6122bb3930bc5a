import { Button, buttonLook } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'

/**
 * Leads to the dialog that places an AI call, with the number of the person. The dialog checks the number first, and
 * calls nobody before the member confirms the number and the cost.
 */
export function CallLink({ phone, isArchived }: { phone: string | null; isArchived: boolean }) {
  const { orgId, can } = useScope()
  if (!can('voice:write')) return null
  if (phone === null || isArchived)
    return (
      <Button
        icon="phone"
        disabled
        title={isArchived ? 'Restore the person to call them' : 'This person has no phone number'}
      >
        Place a call
      </Button>
    )
  return (
    <Link to="/o/$orgId/calls" params={{ orgId }} search={{ call: phone }} {...buttonLook({})}>
      <Icon name="phone" />
      <span>Place a call</span>
    </Link>
  )
}
