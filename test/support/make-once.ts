import { makeObject } from './walk.ts'

/**
 * Makes one object of each kind, and returns its id again for later calls. Use it for requests that change nothing. All
 * calls must name the same organization.
 */
export function makeOnce(): typeof makeObject {
  const made = new Map<string, Promise<string>>()
  return (kind, org) => {
    const making = made.get(kind) ?? makeObject(kind, org)
    made.set(kind, making)
    return making
  }
}
