import { runAsOwner } from '../database.ts'

type Row = { contact_id: string; version: number }

/** How a copy of an organization's contacts differs from the database. */
export async function deviations(databaseUrl: string, orgId: string, copied: ReadonlyMap<string, number>) {
  const rows = await runAsOwner<Row>(
    databaseUrl,
    `select contact_id, version from contact where org_id = $1 and status in ('active', 'archived')`,
    [orgId],
  )
  const ids = new Set(rows.map((row) => row.contact_id))
  return {
    missing: [...ids].filter((id) => !copied.has(id)),
    stale: rows.filter((row) => (copied.get(row.contact_id) ?? row.version) !== row.version),
    ghosts: [...copied.keys()].filter((id) => !ids.has(id)),
  }
}

/** The deviations of an exact copy. */
export const noDeviations = { missing: [], stale: [], ghosts: [] }
