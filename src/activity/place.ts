import { timeOf } from '../platform/db/uuid-time.ts'
import type { ActivityItem } from './schema.ts'

/** A place in a timeline, which is sorted by time and id, the latest first. `at`: Unix milliseconds. */
export type Place = { at: number; id: string }

/** An item with its place. */
export type PlacedItem = { place: Place; item: ActivityItem }

/** The items of one kind that come after a place; null: from the newest. */
export type Range = { after: Place | null; limit: number }

/** The members of an item that most kinds do not have. */
export const plain = {
  ...{ contact_id: null, visitor_id: null, claimed: false },
  ...{ actor: null, changed: null, title: null },
}

/** Whether the first item comes before the second one. */
export const comesFirst = (one: Place, other: Place): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id)

/** All objects with an id (UUIDv7) below this one come after the place. */
export function idBound({ after }: Range): string {
  if (after === null) return 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  const first = firstId(after.at)
  const next = firstId(after.at + 1)
  if (after.id < first) return first
  return after.id < next ? after.id : next
}

/** The place of an object whose id (a UUIDv7) says when it was made. */
export const placeOfId = (id: string): Place => ({ at: timeOf(id), id })

/** Unix milliseconds as full Unix seconds. */
export const seconds = (ms: number): number => Math.floor(ms / 1000)

function firstId(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}
