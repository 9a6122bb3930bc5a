export type Members = Readonly<Record<string, unknown>>

/** A null removes a member. Any other value replaces the whole member. */
export function patchMembers(target: Members, patch: Members): Record<string, unknown> {
  const members = Object.entries({ ...target, ...patch })
  return Object.fromEntries(members.filter(([name]) => !(Object.hasOwn(patch, name) && patch[name] === null)))
}
