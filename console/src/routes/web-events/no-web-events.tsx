import { buttonLook } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { modeOf, type WebEventFilters } from './filters.ts'

/** Shown in place of an empty list of events: how to get events. */
export function NoWebEvents({ filters, hasOlder }: { filters: WebEventFilters; hasOlder: boolean }) {
  const { orgId, mode, can } = useScope()
  const { type, name, by, visitor } = filters
  if (hasOlder)
    return (
      <Empty icon="activity" title="None of the latest 10,000 events matches these filters">
        <p className="two">Older events may match. New ones appear here by themselves.</p>
      </Empty>
    )
  if (type ?? name ?? by ?? visitor)
    return (
      <Empty icon="activity" title="No event matches these filters">
        <p className="two">Change or clear a filter. New events that match appear here by themselves.</p>
      </Empty>
    )
  const shown = modeOf(filters, mode)
  return (
    <Empty icon="activity" title={shown === 'all' ? 'No event arrived yet' : `No ${shown} event arrived yet`}>
      <p className="two">
        A page sends events with a write key. Create one in the settings, and put its snippet into your page.
        Events appear here within seconds.
      </p>
      {can('tracking:read') && (
        <Link to="/o/$orgId/settings/tracking" params={{ orgId }} {...buttonLook({})}>
          Open Settings → Tracking
        </Link>
      )}
    </Empty>
  )
}
