import type { Org } from '../platform/db/org.ts'
import type { ReadObject, ReadObjects } from '../platform/objects.ts'
import { entryOf } from './catalog.ts'
import type { LogEvent } from './position.ts'
import { mayRead } from './readable.ts'

/** A larger object is left out of its event. */
const objectBytesMax = 256 * 1024

export type RenderOptions = {
  /** `full`: with the object as a GET shows it now. `thin`: with its id only. */
  payload: 'full' | 'thin'
  /** The reader's permissions; null: all. An object that they do not allow is null. */
  permissions: readonly string[] | null
  /** After this many bytes, no event begins. */
  bytesMax: number
}

/** Reads objects for this many events at once. The events after `bytesMax` then cost little. */
const readAtOnce = 20

/**
 * The JSON of events for the feed and webhooks. It is never stored: the object is read when the event is sent. `object`
 * is null if it was erased or deleted, or if the permissions do not allow reading it.
 * @returns the first events, which begin before `bytesMax`
 */
export async function renderEvents(
  org: Org,
  read: ReadObjects,
  events: readonly LogEvent[],
  { payload, permissions, bytesMax }: RenderOptions,
): Promise<string[]> {
  if (payload === 'thin') return events.map((event) => textOf(org, event, ''))
  const texts: string[] = []
  let bytes = 0
  for (let at = 0; at < events.length && bytes < bytesMax; at += readAtOnce) {
    const some = events.slice(at, at + readAtOnce)
    const objects = await readAll(org, read, some, permissions)
    for (const event of some) {
      if (bytes >= bytesMax) break
      const text = textOf(org, event, objectMembers(objects.get(nameOf(event))))
      bytes += Buffer.byteLength(text)
      texts.push(text)
    }
  }
  return texts
}

const nameOf = ({ type, objectId }: LogEvent) => `${entryOf(type)?.object} ${objectId}`

/** Reads the objects of events, in one read for each kind. */
async function readAll(
  org: Org,
  read: ReadObjects,
  events: readonly LogEvent[],
  permissions: readonly string[] | null,
): Promise<Map<string, ReadObject>> {
  const kinds = new Map<string, Set<string>>()
  for (const { type, objectId } of events) {
    const entry = entryOf(type)
    if (!entry || objectId === null || !mayRead(permissions, type)) continue
    kinds.set(entry.object, (kinds.get(entry.object) ?? new Set()).add(objectId))
  }
  const objects = new Map<string, ReadObject>()
  for (const [kind, objectIds] of kinds)
    for (const [objectId, found] of await read(org, kind, [...objectIds]))
      objects.set(`${kind} ${objectId}`, found)
  return objects
}

function objectMembers(found: ReadObject | undefined): string {
  if (!found) return ',"object":null'
  if (found.mergedInto !== null) return `,"object":null,"merged_into":${JSON.stringify(found.mergedInto)}`
  if (Buffer.byteLength(found.json) > objectBytesMax) return ',"truncated":true'
  return `,"object":${found.json}`
}

function textOf({ orgId }: Org, event: LogEvent, members: string): string {
  const { eventId, type, objectId, apiKeyId, actor, mode, changed, data, createdAt } = event
  const head = JSON.stringify({
    ...{ type, timestamp: new Date(createdAt).toISOString(), event_id: eventId, org_id: orgId, mode },
    ...{ api_key_id: apiKeyId, actor, changed, created_at: Math.floor(createdAt / 1000) },
  })
  const object = JSON.stringify({ object_type: entryOf(type)?.object ?? null, object_id: objectId })
  const details = JSON.stringify(data ?? {})
  return `${head.slice(0, -1)},"data":${object.slice(0, -1)}${members},"details":${details}}}`
}
