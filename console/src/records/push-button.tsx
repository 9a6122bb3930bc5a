import { Button } from '../parts/button.tsx'
import { useNavigate } from '../routing/use-router.ts'
import { useScope } from '../shell/scope.tsx'
import { hashOfIds } from './push-search.ts'

/** Opens the page that pushes the selected people to a CRM. It counts them first. */
export function PushButton({ ids }: { ids: readonly string[] }) {
  const { orgId, can } = useScope()
  const navigate = useNavigate()
  if (!can('crm:write')) return null
  const open = () =>
    void navigate({ to: '/o/$orgId/crm/push', params: { orgId }, search: {}, hash: hashOfIds(ids) })
  return (
    <Button kind="quiet" icon="push" onClick={open}>
      Push to CRM
    </Button>
  )
}
