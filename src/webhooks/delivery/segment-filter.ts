import type { LogEvent } from '../../events/position.ts'
import type { Org } from '../../platform/db/org.ts'
import type { ReadMembers } from '../../platform/objects.ts'
import type { DeliveryEndpoint } from './endpoint.ts'

/** A record that is gone is in no segment. Receivers must hear of it: otherwise they would keep the record. */
const gone = /\.(archived|erased|merged)$/

/**
 * Returns the events of records that are in the segment of an endpoint now, and all events that say that a record is
 * gone. Without a segment, returns all events.
 * @param org the organization of the events, which has the segment
 * @throws Error if the filter of the segment is not valid any more. The next turn disables the endpoint
 */
export async function eventsInSegment(
  org: Org,
  readMembers: ReadMembers,
  { segment }: DeliveryEndpoint,
  events: readonly LogEvent[],
): Promise<readonly LogEvent[]> {
  if (segment === null) return events
  const { segmentId, entity } = segment
  const ids = new Set(events.flatMap(({ type, objectId }) => (gone.test(type) ? [] : (objectId ?? []))))
  const members = ids.size === 0 ? new Set<string>() : await readMembers(org, segmentId, entity, [...ids])
  if (members === null) throw new Error('The filter of the segment is not valid any more')
  return events.filter(({ type, objectId }) => gone.test(type) || members.has(objectId ?? ''))
}
