import type { EntityType } from '../../matching/entity-type.ts'
import { entityNumbers } from '../../matching/match-record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { countRecords } from '../engine/compared-records.ts'
import { recordTypes } from '../entities.ts'
import { enqueueScan } from '../scans/jobs.ts'
import { isDetectionOn } from '../settings.ts'

// A check costs as much as scanning about ten records. Below this share of new records, checking them is cheaper than
// a scan.
const scanShare = 0.1
const scanMin = 5_000

/** Enqueues a check of each imported record, or one scan of all records if the scan costs less. */
export async function checkImported(
  tx: OrgTx,
  entityType: EntityType,
  importId: string,
  jobs: Jobs,
): Promise<void> {
  if (!(await isDetectionOn(tx, entityType))) return
  const created = await countImported(tx, entityType, importId)
  if (created >= scanMin && created >= scanShare * (await countRecords(tx, entityType))) {
    await enqueueScan(tx, entityType, jobs)
    return
  }
  const [id, table] = [rawSql(recordTypes[entityType].idField), rawSql(entityType)]
  await tx.run(sql`
    insert into duplicate_check (org_id, entity, record_id)
    select ${tx.orgId}, ${entityNumbers[entityType]}, ${id} from ${table}
    where org_id = ${tx.orgId} and import_id = ${importId} and status = 'active'`)
}

async function countImported(tx: OrgTx, entityType: EntityType, importId: string): Promise<number> {
  const row = await tx.first(sql<{ created: number }>`
    select count(*)::int as created from ${rawSql(entityType)}
    where org_id = ${tx.orgId} and import_id = ${importId} and status = 'active'`)
  return row?.created ?? 0
}
