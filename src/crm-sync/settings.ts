import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'

type Settings = Columns<'crm_settings', 'threshold'>

const defaultThreshold = 500

/** Reads the settings of CRM pushes. Settings that were never changed have their defaults. */
export async function readSettings(tx: OrgTx): Promise<Settings> {
  const row = await tx.first(sql<Settings>`select threshold from crm_settings where org_id = ${tx.orgId}`)
  return row ?? { threshold: defaultThreshold }
}

/** Changes the settings. They apply to jobs that are created later. */
export async function changeSettings(
  tx: OrgTx,
  { threshold }: { threshold?: number | undefined },
): Promise<Settings> {
  const before = await readSettings(tx)
  if (threshold === undefined || threshold === before.threshold) return before
  await tx.run(sql`
    insert into crm_settings (org_id, threshold, updated_at) values (${tx.orgId}, ${threshold}, clock_timestamp())
    on conflict (org_id) do update set threshold = excluded.threshold, updated_at = excluded.updated_at`)
  await recordEvents(tx, [{ type: 'crm_settings.updated', objectId: tx.orgId, changed: ['threshold'] }])
  return { threshold }
}
