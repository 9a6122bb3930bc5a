import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { eraseAnswers } from '../platform/idempotency/stored-answers.ts'
import { writeKeys } from './keys.ts'
import { clearLinks } from './links.ts'
import { namesOf } from './names.ts'
import { requireNoPendingMove } from './pending-moves.ts'
import type { ErasableType, RecordType, StoredRecord } from './record-type.ts'
import { clearReferrers } from './referrers.ts'
import { nextUpdatedAt } from './updated-at.ts'

/**
 * Permanently removes the data of a record, of the records that it absorbed, and all references to them. The ids stay
 * reserved. Lock the record for delete first.
 */
export async function eraseRecord(tx: OrgTx, type: ErasableType, stored: StoredRecord): Promise<void> {
  const { recordId, state, status } = stored
  const memberIds = stored.cluster ? [...stored.cluster.members.keys()] : [recordId]
  if (type.referrers.length > 0) await requireNoPendingMove(tx, type, memberIds)
  await clearReferrers(tx, type, recordId)
  await clearLinks(tx, type, recordId)
  const { table, id } = namesOf(type)
  const columns = Object.entries(type.columns)
  const empty = rawSql(columns.map(([column, kind]) => `${column} = ${emptyValue(column, kind)}`).join(', '))
  const [erased] = await Promise.all([
    tx.rows(sql<{ record_id: string }>`
      update ${table} t
      set status = 'erased', search = '', facts = null, merged_ids = null, merged_external_ids = null,
        version = version + 1, updated_at = ${nextUpdatedAt('t')}, ${empty}
      where org_id = ${tx.orgId} and (${id} = ${recordId} or merged_into_id = ${recordId})
      returning ${id} as record_id`),
    writeKeys(tx, type, [{ recordId, before: status === 'active' ? state : null, after: null }]),
    recordEvents(
      tx,
      memberIds.map((memberId) => ({
        type: `${type.entity}.erased` as const,
        objectId: memberId,
        ...(memberId === recordId ? {} : { data: { survivor_id: recordId } }),
      })),
    ),
  ])
  const erasedIds = erased.map((row) => row.record_id)
  await type.erase(tx, stored, memberIds)
  await eraseAnswers(tx, await everMergedInto(tx, type, erasedIds))
}

/** Finds all records into which some records were ever merged. Before an undo, these records showed the data. */
async function everMergedInto(tx: OrgTx, type: RecordType, recordIds: readonly string[]): Promise<string[]> {
  const rows = await tx.rows(sql<{ record_id: string }>`
    with recursive shown (record_id) as (
      select unnest(${recordIds}::uuid[])
      union
      select m.survivor_id from shown s cross join lateral (
        select survivor_id from merge
        where org_id = ${tx.orgId} and entity = ${type.entity} and loser_id = s.record_id
          and status in ('applied', 'undone') offset 0
      ) as m
    )
    select record_id from shown`)
  return rows.map((row) => row.record_id)
}

function emptyValue(column: string, kind: string): string {
  if (kind.endsWith('[]') || kind === 'json') return `'{}'`
  return /^consent_(email|phone)$/.test(column) ? `'unknown'` : 'null'
}
