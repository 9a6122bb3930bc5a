import type { Tx } from '../../platform/db/tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import { entityNumbers } from '../match-record.ts'
import { countRecords } from './records.ts'
import { startScan } from './scan-jobs.ts'
import { areLookedFor } from './scans.ts'

// Looking at one record costs about what a scan spends on ten: fewer new ones are looked at one by one.
const scanShare = 0.1
const scanLeast = 5_000

/** Has the records that an import created looked at for duplicates: each, or all records at once where that costs less. */
export async function lookAtImported(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  importId: string,
  jobs: Jobs,
): Promise<void> {
  if (!(await areLookedFor(tx, orgId, entityType))) return
  const created = await countImported(tx, orgId, entityType, importId)
  if (created >= scanLeast && created >= scanShare * (await countRecords(tx, orgId, entityType))) {
    await startScan(tx, { orgId, apiKeyId: null, mode: 'live' }, entityType, jobs)
    return
  }
  await tx.run({
    text: `
      insert into duplicate_check (org_id, entity, record_id)
      select $1, $2, ${recordTypes[entityType].idField} from ${entityType}
      where org_id = $1 and import_id = $3 and status = 'active'`,
    values: [orgId, entityNumbers[entityType], importId],
  })
}

async function countImported(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  importId: string,
): Promise<number> {
  const row = await tx.first<{ created: number }>({
    text: `
      select count(*)::int as created from ${entityType}
      where org_id = $1 and import_id = $2 and status = 'active'`,
    values: [orgId, importId],
  })
  return row!.created
}
