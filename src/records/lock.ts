import { anyUuid } from '../platform/db/any-uuid.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { type DomainError, notFound } from '../platform/domain-error.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { parseExactJson } from '../platform/http/json-body.ts'
import { mapInSlices } from '../platform/slices.ts'
import { loadClusters } from './clusters/store.ts'
import { loadLinks } from './links.ts'
import { namesOf } from './names.ts'
import type { RecordType, StoredColumns, StoredRecord } from './record-type.ts'

export type StoredRow = StoredColumns & {
  record_id: string
  status: string
  version: number
  was_merged: boolean
}

/** The maximum number of attempts. Locking starts again if a merge or an undo changed the canonical record. */
const attemptsMax = 10

type LockOptions = {
  version?: number | undefined
  /** true if the record may be deleted or absorbed. No other transaction can then add a reference to it. */
  forDelete?: boolean | undefined
}

/**
 * Locks the canonical record of `recordId`.
 * @throws DomainError not_found; conflict if `version` is not the current one
 */
export async function lockRecord(
  tx: OrgTx,
  type: RecordType,
  recordId: string,
  { version, forDelete }: LockOptions = {},
): Promise<StoredRecord> {
  const record = await lockIfPresent(tx, type, recordId, { forDelete })
  if (!record) throw recordNotFound(type)
  requireVersion(`this ${type.entity}`, version, record.version)
  return record
}

/** Locks the canonical record. Returns null for an unknown or erased record. */
export async function lockIfPresent(
  tx: OrgTx,
  type: RecordType,
  recordId: string,
  { forDelete = false }: Pick<LockOptions, 'forDelete'> = {},
): Promise<StoredRecord | null> {
  const { table, id } = namesOf(type)
  const lock = rawSql(forDelete ? 'for update' : 'for no key update')
  for (let follows = 0; follows < attemptsMax; follows++) {
    const rows = await tx.rows(sql<StoredRow>`
      select ${storedColumns(type)} from ${table} r
      where r.org_id = ${tx.orgId} and r.status <> 'erased'
        and r.${id} = (
          select coalesce(n.merged_into_id, n.${id}) from ${table} n where n.org_id = ${tx.orgId} and n.${id} = ${recordId})
      ${lock}`)
    // A merge committed between the read of the canonical id and the lock.
    if (rows[0]?.status === 'merged') continue
    const [record] = await storedRecords(tx, type, rows)
    if (!record) return null
    // An undo committed while this statement waited for the lock.
    if (record.recordId !== recordId && !record.cluster?.members.has(recordId)) continue
    return record
  }
  throw new Error(
    `The canonical record of ${type.entity} ${recordId} changed ${attemptsMax} times while it was locked`,
  )
}

/** Locks records in id order, including archived and merged ones. Unknown ids are skipped. */
export function lockRecords(
  tx: OrgTx,
  type: RecordType,
  recordIds: readonly string[],
  { forDelete = false }: Pick<LockOptions, 'forDelete'> = {},
): Promise<StoredRecord[]> {
  return selectRecords(tx, type, recordIds, `for ${forDelete ? 'update' : 'no key update'}`)
}

/** Locks records in id order. Leaves out records that another transaction has locked. */
export function lockFreeRecords(
  tx: OrgTx,
  type: RecordType,
  recordIds: readonly string[],
): Promise<StoredRecord[]> {
  return selectRecords(tx, type, recordIds, 'for no key update skip locked')
}

/** Reads records by id, without a lock. Ids without a record are left out. */
export function readRecords(
  tx: OrgTx,
  type: RecordType,
  recordIds: readonly string[],
): Promise<StoredRecord[]> {
  return selectRecords(tx, type, recordIds, '')
}

async function selectRecords(
  tx: OrgTx,
  type: RecordType,
  recordIds: readonly string[],
  lock: string,
): Promise<StoredRecord[]> {
  const { table, id } = namesOf(type)
  const rows = await tx.rows(sql<StoredRow>`
    select ${storedColumns(type)} from ${table} r
    where r.org_id = ${tx.orgId} and r.status <> 'erased' and r.${id} = ${anyUuid(recordIds)}
    order by r.${id} ${rawSql(lock)}`)
  return storedRecords(tx, type, rows)
}

/** Reads the links and clusters of rows from `storedColumns`. */
export async function storedRecords(
  tx: OrgTx,
  type: RecordType,
  rows: readonly StoredRow[],
): Promise<StoredRecord[]> {
  if (rows.length === 0) return []
  const records = await mapInSlices(tx.payerId, rows, (row) => stored(type, row))
  await Promise.all([loadLinks(tx, type, records), loadClusters(tx, type, records)])
  return records
}

/** The error for an id that is not the id of a record of this type. */
export function recordNotFound(type: RecordType): DomainError {
  return notFound('object_not_found', `No ${type.entity} of this organization has this id`)
}

/** Returns the columns to read of a record `r`. JSON is read as text, so that large numbers keep all digits. */
export function storedColumns(type: RecordType, names = Object.keys(type.columns)): Sql {
  const columns = names.map((column) =>
    type.columns[column] === 'json' ? `r.${column}::text` : `r.${column}`,
  )
  const shown = [
    `r.${type.idField} as record_id`,
    'r.status',
    'r.version',
    'r.facts is not null as was_merged',
    ...columns,
  ]
  return rawSql(shown.join(', '))
}

function stored(
  type: RecordType,
  { record_id: recordId, status, version, was_merged: wasMerged, ...state }: StoredRow,
): StoredRecord {
  for (const column in state) {
    if (type.columns[column] === 'json') state[column] = parseExactJson(state[column] as string)
  }
  return { recordId, status, version, state, wasMerged, cluster: null }
}
