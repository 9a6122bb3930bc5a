type Members = Readonly<Record<string, unknown>>

/** Ids that advertising networks add to the links of their advertisements, and members in which clients keep them. */
const names = [
  ...['gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', '_gcl_aw', '_gcl_dc'],
  ...['fbclid', 'fbc', '_fbc', 'msclkid', 'ttclid', 'twclid', 'li_fat_id'],
  ...['yclid', 'epik', 'rdt_cid', 'sccid', 'irclickid'],
]
const members = new Set([...names, 'click_id', 'click_ids', 'clickid', 'clickids'])

// In the query of an address, plain or percent-encoded within another address.
const inQuery = new RegExp(
  `(?<=^|[?&#;]|%3F|%26|%23)(?:${names.join('|')})(?:=|%3D)(?:(?!%26|%23)[^&#;\\s])*(?:&|%26)?`,
  'gi',
)

/** Removes click ids from a JSON object: from its fields, and from the queries of its addresses. */
export function withoutClickIds(object: Members): Members {
  return cut(object) as Members
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(inQuery, '')
  if (Array.isArray(value)) return value.map(cut)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !members.has(name.toLowerCase()))
  return Object.fromEntries(kept.map(([name, member]) => [name, cut(member)]))
}
