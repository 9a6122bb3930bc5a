import type { EntityType } from '../../matching/entity-type.ts'
import { entityNumbers } from '../../matching/match-record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { countRecords } from '../engine/compared-records.ts'
import { recordTypes } from '../entities.ts'
import { enqueueScan } from '../scans/jobs.ts'
import { isDetectionOn } from '../settings.ts'

// A check of one record costs about as much as a scan of ten. Below these sizes checks are cheaper.
const scanShare = 0.1
const scanMin = 5_000

/** Enqueues a check for each record that an import created, or one scan of all records if that costs less. */
export async function checkImported(
  tx: OrgTx,
  orgId: string,
  entityType: EntityType,
  importId: string,
  jobs: Jobs,
): Promise<void> {
  if (!(await isDetectionOn(tx, orgId, entityType))) return
  const created = await countImported(tx, orgId, entityType, importId)
  if (created >= scanMin && created >= scanShare * (await countRecords(tx, orgId, entityType))) {
    await enqueueScan(tx, { orgId, apiKeyId: null, mode: 'live' }, entityType, jobs)
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
  tx: OrgTx,
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
  return row?.created ?? 0
}
