export type Members = Readonly<Record<string, unknown>>

/** An object after a write of some members: null removes a member, and another value replaces it as a whole. */
export function patchMembers(target: Members, patch: Members): Record<string, unknown> {
  const members = Object.entries({ ...target, ...patch })
  return Object.fromEntries(members.filter(([name]) => !(Object.hasOwn(patch, name) && patch[name] === null)))
}
