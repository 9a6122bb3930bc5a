import { recordEventForEach } from '../events/record.ts'
import { newId } from '../platform/db/new-id.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { type FoundRecord, reloadRecords } from './find.ts'
import { writeKeys } from './keys.ts'
import { writeLinks } from './links.ts'
import { namesOf } from './names.ts'
import type { RecordType, StoredColumns } from './record-type.ts'
import { foundIn, type RunWrite, returning } from './returning.ts'
import { asArrays } from './row-arrays.ts'
import { asJson, asRows, columnList, type WrittenRecord } from './row-json.ts'

/** Stores new records with their keys and events in one round trip. @returns their ids, in order */
export async function insertRecords(
  tx: OrgTx,
  type: RecordType,
  states: readonly StoredColumns[],
  importId: string | null = null,
): Promise<string[]> {
  const records = withIds(states)
  await storeNew(tx, type, records, importId, (insert) => tx.run(insert))
  return records.map(({ recordId }) => recordId)
}

/** Does the same as `insertRecords`. @returns the new records as answers show them, in order */
export async function insertShown(
  tx: OrgTx,
  type: RecordType,
  states: readonly StoredColumns[],
): Promise<FoundRecord[]> {
  const records = withIds(states)
  const recordIds = records.map(({ recordId }) => recordId)
  const returned = await storeNew(tx, type, records, null, returning(tx, type))
  const shown = returned ?? (await reloadRecords(tx, type, recordIds))
  return recordIds.map((recordId) => foundIn(shown, recordId))
}

const withIds = (states: readonly StoredColumns[]): WrittenRecord[] =>
  states.map((state) => ({ recordId: newId(), state }))

/**
 * With this many rows or more, arrays are faster than JSON. Fewer rows use JSON: the statement for arrays varies, so it
 * would often be planned again.
 */
const manyRows = 100

type InsertOf = (
  tx: OrgTx,
  type: RecordType,
  records: readonly WrittenRecord[],
  importId: string | null,
) => Promise<Sql>

const insertOfJson: InsertOf = async (tx, type, records, importId) => {
  const { table, id } = namesOf(type)
  const columns = columnList(type)
  const values = rawSql(columns.map((column) => `w.${column}`).join(', '))
  const created = rawSql('to_timestamp(w.created_ms / 1000.0)')
  const json = await asJson(tx, type, records)
  return sql`
    insert into ${table} as r (org_id, ${id}, search, import_id, created_at, updated_at, ${rawSql(columns.join(', '))})
    select ${tx.orgId}, w.record_id, w.search, ${importId}, ${created}, ${created}, ${values}
    from ${asRows(type, json)}`
}

const insertOfArrays: InsertOf = async (tx, type, records, importId) => {
  const { table, id } = namesOf(type)
  const { columns, values, from } = await asArrays(tx, type, records)
  return sql`
    insert into ${table} as r (org_id, ${id}, search, import_id, created_at, updated_at${columns})
    select ${tx.orgId}, w.record_id, w.search::tsvector, ${importId}, w.created_at, w.created_at${values}
    from ${from}`
}

async function storeNew<Result>(
  tx: OrgTx,
  type: RecordType,
  records: readonly WrittenRecord[],
  importId: string | null,
  runInsert: RunWrite<Result>,
): Promise<Result> {
  const changes = records.map(({ recordId, state }) => ({ recordId, before: null, after: state }))
  const insert = await (records.length < manyRows ? insertOfJson : insertOfArrays)(
    tx,
    type,
    records,
    importId,
  )
  const [result] = await Promise.all([
    runInsert(insert),
    writeKeys(tx, type, changes, importId !== null, true),
    writeLinks(tx, type, changes),
    recordEventForEach(
      tx,
      `${type.entity}.created`,
      records.map(({ recordId }) => recordId),
    ),
  ])
  return result
}
