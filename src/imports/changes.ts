import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { parseExactJson } from '../platform/http/json-body.ts'
import { type FactChange, factChange } from '../records/clusters/fact-change.ts'
import { factsOf, memberOf } from '../records/clusters/facts.ts'
import { type Rewrite, rewriteChange } from '../records/clusters/rewrite-member.ts'
import type { Snapshot, Updated } from '../records/items/item.ts'
import type { RecordType } from '../records/record-type.ts'

export type RowChange = { line: number; recordId: string; change: FactChange }

/** Returns the change that a row made; null if the record already had all of its values. */
export function changeOf(
  type: RecordType,
  line: number,
  { namedId, before, after }: Updated,
): RowChange | null {
  const factsIn = ({ state, cluster }: Snapshot) =>
    cluster ? memberOf(cluster, namedId) : factsOf(type, state)
  const change = factChange(type, factsIn(before), factsIn(after))
  return change && { line, recordId: namedId, change }
}

/** Stores the changes of rows, so that a revert can undo them. */
export async function saveChanges(tx: OrgTx, importId: string, changes: readonly RowChange[]): Promise<void> {
  if (changes.length === 0) return
  const recordIds = changes.map(({ recordId }) => recordId)
  const lines = changes.map(({ line }) => line)
  const texts = changes.map(({ change }) => JSON.stringify(change))
  await tx.run(sql`
    insert into import_change (org_id, import_id, record_id, line, change)
    select ${tx.orgId}, ${importId}, c.record_id, c.line, c.change::json
    from unnest(${recordIds}::uuid[], ${lines}::bigint[], ${texts}::text[]) as c (record_id, line, change)`)
}

/**
 * Reads the stored changes of the next `limit` ids of an import, in id order, starting after the id `after`. For each
 * id, the change of the last line comes first.
 */
export async function nextChanges(
  tx: OrgTx,
  importId: string,
  after: string,
  limit: number,
): Promise<Map<string, FactChange[]>> {
  const rows = await tx.rows(sql<{ record_id: string; changes: string[] }>`
    select record_id, array_agg(change::text order by line desc) as changes from import_change
    where org_id = ${tx.orgId} and import_id = ${importId} and record_id > ${after}
    group by record_id order by record_id limit ${limit}`)
  return new Map(
    rows.map(({ record_id: recordId, changes }) => [
      recordId,
      changes.map((text) => parseExactJson(text) as FactChange),
    ]),
  )
}

/** Deletes the stored changes of ids that a revert has handled. */
export async function deleteChanges(
  tx: OrgTx,
  importId: string,
  recordIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    delete from import_change
    where org_id = ${tx.orgId} and import_id = ${importId} and record_id = any(${recordIds}::uuid[])`)
}

/** Rewrites a member of `custom` in the stored changes of locked records, so that a revert brings back its new values. */
export async function rewriteChanges(
  tx: OrgTx,
  recordIds: readonly string[],
  rewrite: Rewrite,
): Promise<void> {
  const rows = await tx.rows(sql<{ import_id: string; record_id: string; line: string; change: string }>`
    select import_id, record_id, line::text, change::text from import_change
    where org_id = ${tx.orgId} and record_id = any(${recordIds}::uuid[])`)
  const rewritten = rows.flatMap((row) => {
    const before = parseExactJson(row.change) as FactChange
    const after = rewriteChange(before, rewrite)
    return after === before ? [] : [{ ...row, change: JSON.stringify(after) }]
  })
  if (rewritten.length === 0) return
  await tx.run(sql`
    update import_change c set change = r.change::json
    from unnest(${rewritten.map((row) => row.import_id)}::uuid[], ${rewritten.map((row) => row.record_id)}::uuid[],
      ${rewritten.map((row) => row.line)}::bigint[], ${rewritten.map((row) => row.change)}::text[])
      as r (import_id, record_id, line, change)
    where c.org_id = ${tx.orgId} and c.import_id = r.import_id and c.record_id = r.record_id and c.line = r.line`)
}

/** Deletes the stored changes of records that are being erased. */
export async function eraseChanges(tx: OrgTx, recordIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from import_change where org_id = ${tx.orgId} and record_id = any(${recordIds}::uuid[])`)
}
