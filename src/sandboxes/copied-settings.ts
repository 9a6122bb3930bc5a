import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'

// Rows keep their ids: a persona's id in the sandbox is the same.
const tables = [
  ...(['close_reason', 'field_definition', 'duplicate_settings', 'voice_settings', 'crm_settings'] as const),
  ...(['tracking_settings', 'persona', 'segment'] as const),
] as const

/**
 * Columns whose value differs in the copy. Credentials are not copied, so a sandbox uses the simulator. It has no records
 * yet, so its indexes are complete.
 */
const overrides: { [Table in (typeof tables)[number]]?: object } = {
  field_definition: { index_state: 'ready', indexed_to: null },
  voice_settings: { provider: 'simulator' },
  segment: { count: null, counted_at: null, count_ms: null, count_asked_at: null },
}

export type CopiedSettings = { table: (typeof tables)[number]; rows: string }[]

/** Reads the settings to copy, without credentials. Deal stages are copied when the sandbox is created. */
export async function readSettings(tx: OrgTx): Promise<CopiedSettings> {
  const copied: CopiedSettings = []
  for (const table of tables) {
    const found = await tx.first(sql<{ rows: string | null }>`
      select jsonb_agg(to_jsonb(t))::text as rows from ${rawSql(table)} t where org_id = ${tx.orgId}`)
    if (found?.rows) copied.push({ table, rows: found.rows })
  }
  return copied
}

/** Writes copied settings into a sandbox. */
export async function writeSettings(sandbox: OrgTx, settings: CopiedSettings): Promise<void> {
  for (const { table, rows } of settings) {
    const other = JSON.stringify({ ...overrides[table], org_id: sandbox.orgId })
    await sandbox.run(sql`
      insert into ${rawSql(table)}
      select (jsonb_populate_record(null::${rawSql(table)}, row || ${other}::jsonb)).*
      from jsonb_array_elements(${rows}::jsonb) as row`)
  }
}
