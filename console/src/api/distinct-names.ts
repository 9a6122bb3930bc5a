/** How many characters of an id tell organizations of the same name apart. The start of an id is its time. */
const shownEnd = 4

/**
 * Returns the names of organizations by their ids. If several have the same name, each name ends with the end of its id,
 * such as `Northwind …5b02`.
 */
export function distinctNames(
  organizations: readonly { org_id: string; name: string }[],
): ReadonlyMap<string, string> {
  const byId = new Map(organizations.map(({ org_id, name }) => [org_id, name]))
  const uses = new Map<string, number>()
  for (const name of byId.values()) uses.set(name, (uses.get(name) ?? 0) + 1)
  return new Map(
    [...byId].map(([id, name]) => [id, uses.get(name) === 1 ? name : `${name} …${id.slice(-shownEnd)}`]),
  )
}
