import { allows } from '../auth/permissions.ts'
import { type EventType, entryOf } from './catalog.ts'

/** Whether permissions allow reading the objects of a type. False for a type that this version does not know. */
export function mayRead(permissions: readonly string[] | null, type: EventType): boolean {
  const needed = entryOf(type)?.permission
  return needed !== undefined && [needed].flat().some((one) => allows(permissions, one))
}
