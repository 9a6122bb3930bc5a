import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { eraseAnswers } from '../platform/idempotency/kept-answers.ts'
import { writeKeys } from './keys.ts'
import { clearLinks } from './links.ts'
import { requireNoPendingMove } from './pending-moves.ts'
import type { RecordType, Stored } from './record-type.ts'
import { clearReferrers } from './referrers.ts'
import { nextUpdatedAt } from './updated-at.ts'

/**
 * Permanently removes the data of a record and of those that it absorbed, and all references to them. The ids stay,
 * so that no other record can get them. The record must be locked for delete.
 */
export async function eraseRecord(tx: OrgTx, type: RecordType, stored: Stored): Promise<void> {
  const { recordId, state, status } = stored
  const memberIds = stored.cluster ? [...stored.cluster.members.keys()] : [recordId]
  if (type.referrers.length > 0) await requireNoPendingMove(tx, type, memberIds)
  await clearReferrers(tx, type, recordId)
  await clearLinks(tx, type, recordId)
  const empty = Object.entries(type.columns).map(
    ([column, sqlType]) => `${column} = ${emptyValue(column, sqlType)}`,
  )
  const [erased] = await Promise.all([
    tx.rows<{ record_id: string }>({
      text: `
        update ${type.entity} t
        set status = 'erased', search = '', facts = null, version = version + 1, updated_at = ${nextUpdatedAt('t')}, ${empty.join(', ')}
        where org_id = $1 and (${type.idField} = $2 or merged_into_id = $2)
        returning ${type.idField} as record_id`,
      values: [tx.orgId, recordId],
    }),
    writeKeys(tx, type, [{ recordId, before: status === 'active' ? state : null, after: null }]),
    recordEvents(tx, [{ type: `${type.entity}.erased`, objectId: recordId }]),
  ])
  const erasedIds = erased.map((row) => row.record_id)
  await type.erase?.(tx, stored)
  await eraseAnswers(tx, await everShownAs(tx, type, erasedIds))
}

/**
 * Some records, and all records into which they were ever merged: their data was shown there, even if the merge is
 * undone.
 */
async function everShownAs(tx: OrgTx, type: RecordType, recordIds: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ record_id: string }>({
    text: `
      with recursive shown (record_id) as (
        select unnest($3::uuid[])
        union
        select m.survivor_id from shown s cross join lateral (
          select survivor_id from merge
          where org_id = $1 and entity = $2 and loser_id = s.record_id and status in ('applied', 'undone') offset 0
        ) as m
      )
      select record_id from shown`,
    values: [tx.orgId, type.entity, recordIds],
  })
  return rows.map((row) => row.record_id)
}

function emptyValue(column: string, sqlType: string): string {
  if (sqlType.endsWith('[]') || sqlType === 'json') return `'{}'`
  return /^consent_(email|phone)$/.test(column) ? `'unknown'` : 'null'
}
