import { allows } from '../auth/permissions.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import { PlaceIn } from '../platform/http/place-in.ts'
import { comesFirst, type Place, type PlacedItem } from './place.ts'
import { recordedKinds } from './recorded.ts'
import { type ActivityKind, type ActivityPage, type ActivityQuery, activityKinds } from './schema.ts'
import type { Subject } from './subject.ts'
import { readWebEvents } from './web-events.ts'

const sources = { ...recordedKinds, web_event: { permission: 'visitors:read', read: readWebEvents } }

type Permissions = readonly string[] | null

/**
 * A page of the timeline of a contact or a company, newest first. A caller sees only the kinds that the caller's
 * permissions include.
 * @throws DomainError not_found; ValidationError at cursor
 */
export function listActivity(
  org: Org,
  cursors: Cursors,
  permissions: Permissions,
  find: (tx: OrgTx) => Promise<Subject>,
  query: ActivityQuery,
): Promise<ActivityPage> {
  return org.read(async (tx) => {
    const subject = await find(tx)
    const filters = ['activity', subject.entity, subject.id, tx.actor.mode, query.kinds]
    const place = new PlaceIn<Place>(cursors, tx, filters, query.cursor)
    const range = { after: place.after, limit: query.limit + 1 }
    const kinds: readonly ActivityKind[] = query.kinds ?? activityKinds
    const readable = kinds.filter((kind) => allows(permissions, sources[kind].permission))
    const found = (await Promise.all(readable.map((kind) => sources[kind].read(tx, subject, range)))).flat()
    const page = found.sort(byPlace).slice(0, query.limit)
    const last = found.length > query.limit ? page.at(-1)?.place : undefined
    return { items: page.map(({ item }) => item), next_cursor: place.seal(last ?? null) }
  })
}

const byPlace = ({ place: one }: PlacedItem, { place: other }: PlacedItem) =>
  comesFirst(one, other) ? -1 : 1
