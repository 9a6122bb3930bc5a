import { anyOf } from '../platform/db/any-of.ts'
import type { Tx } from '../platform/db/tx.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { parseExactJson } from '../platform/http/json-body.ts'
import { notFound, type Problem } from '../platform/http/problem.ts'
import type { Cluster } from './clusters/facts.ts'
import { loadClusters } from './clusters/store.ts'
import { loadLinks } from './links.ts'
import type { RecordType, State } from './record-type.ts'

/** A record as it stands, locked for a change. */
export type Stored = {
  recordId: string
  status: string
  version: number
  state: State
  /** True if it ever took part in a merge. */
  wasMerged: boolean
  /** What it is made of, if it ever took part in a merge and stands for itself. */
  cluster: Cluster | null
}

/** A row of `storedColumns`. */
export type StoredRow = State & { record_id: string; status: string; version: number; was_merged: boolean }

/** How often a merge that commits while its record is waited for is followed. */
const followsMax = 10

type LockOptions = {
  /** The version that the record must have. */
  version?: number | undefined
  /** Whether the record ends: then nobody may come to name it in the meantime. */
  ends?: boolean
}

/**
 * Locks the record that stands for `recordId` (itself, or the one that absorbed it).
 * @throws Problem 404; 409 if `version` is given and is not the current one
 */
export async function lockRecord(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordId: string,
  { version, ends = false }: LockOptions = {},
): Promise<Stored> {
  const id = type.idField
  for (let follows = 0; follows < followsMax; follows++) {
    const [row] = await tx.rows<StoredRow>({
      text: `
        select ${storedColumns(type)} from ${type.entity} r
        where r.org_id = $1 and r.status <> 'erased'
          and r.${id} = (select coalesce(n.merged_into_id, n.${id}) from ${type.entity} n where n.org_id = $1 and n.${id} = $2)
        for ${ends ? 'update' : 'no key update'}`,
      values: [orgId, recordId],
    })
    if (!row) throw unknownRecord(type)
    // It was merged while this waited for its lock: the statement had looked before.
    if (row.status === 'merged') continue
    const [record] = await storedRecords(tx, orgId, type, [row])
    // A merge was undone while this waited for its lock.
    if (record!.recordId !== recordId && !record!.cluster?.members.has(recordId)) continue
    requireVersion(`this ${type.entity}`, version, record!.version)
    return record!
  }
  throw new Error(`${type.entity} ${recordId} was merged into one that is merged itself`)
}

/** Locks those of the records that there are, in the order of their ids; also archived and merged ones. */
export function lockRecords(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordIds: readonly string[],
  { ends = false }: Pick<LockOptions, 'ends'> = {},
): Promise<Stored[]> {
  return selectRecords(tx, orgId, type, recordIds, `for ${ends ? 'update' : 'no key update'}`)
}

/** The same records without a lock: to look at. */
export function readRecords(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordIds: readonly string[],
): Promise<Stored[]> {
  return selectRecords(tx, orgId, type, recordIds, '')
}

async function selectRecords(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordIds: readonly string[],
  lock: string,
): Promise<Stored[]> {
  const rows = await tx.rows<StoredRow>({
    text: `
      select ${storedColumns(type)} from ${type.entity} r
      where r.org_id = $1 and r.status <> 'erased' and r.${type.idField} = ${anyOf('$2')}
      order by r.${type.idField} ${lock}`,
    values: [orgId, recordIds],
  })
  return storedRecords(tx, orgId, type, rows)
}

/** The records that rows of `storedColumns` are, with their links, and with what they are made of. */
export async function storedRecords(
  tx: Tx,
  orgId: string,
  type: RecordType,
  rows: readonly StoredRow[],
): Promise<Stored[]> {
  if (rows.length === 0) return []
  const records = rows.map((row) => stored(type, row))
  await Promise.all([loadLinks(tx, orgId, type, records), loadClusters(tx, orgId, type, records)])
  return records
}

export function unknownRecord(type: RecordType): Problem {
  return notFound(`No ${type.entity} of this organization has this id`)
}

/**
 * What is read of a record `r`: all of its columns, or those that are named. json as text: parsed here, so that no digit of
 * a large number is lost.
 */
export function storedColumns(type: RecordType, names = Object.keys(type.columns)): string {
  const columns = names.map((column) =>
    type.columns[column] === 'json' ? `r.${column}::text` : `r.${column}`,
  )
  return [
    `r.${type.idField} as record_id`,
    'r.status',
    'r.version',
    'r.facts is not null as was_merged',
    ...columns,
  ].join(', ')
}

function stored(
  type: RecordType,
  { record_id: recordId, status, version, was_merged: wasMerged, ...state }: StoredRow,
): Stored {
  for (const column in state) {
    if (type.columns[column] === 'json') state[column] = parseExactJson(state[column] as string)
  }
  return { recordId, status, version, state, wasMerged, cluster: null }
}
