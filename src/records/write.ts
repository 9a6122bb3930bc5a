import { v7 } from 'uuid'
import { type Actor, recordEventForEach, recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { parseExactJson } from '../platform/http/json-body.ts'
import { conflict, notFound } from '../platform/http/problem.ts'
import { searchVector, writeKeys } from './keys.ts'
import type { RecordType, State } from './record-type.ts'

/** A record as it stands, locked for a change. */
export type Stored = { recordId: string; status: string; version: number; state: State }

type Written = { recordId: string; state: State }

const columnList = (type: RecordType) => Object.keys(type.columns)

/** The rows of $2 as a table `r` with the columns of a record. */
function asRows(type: RecordType): string {
  const columns = Object.entries(type.columns).map(([column, sqlType]) => `${column} ${sqlType}`)
  return `json_to_recordset($2) as r (record_id uuid, search tsvector, created_ms bigint, ${columns.join(', ')})`
}

function asJson(orgId: string, type: RecordType, records: readonly Written[]): string {
  const rows = records.map(({ recordId, state }) => {
    const row: State = { record_id: recordId, created_ms: timeOf(recordId), search: searchVector(orgId, type, state) }
    // What is left out reads as null, and PostgreSQL has less to parse.
    for (const column in type.columns) if (state[column] !== null) row[column] = state[column]
    return row
  })
  return JSON.stringify(rows)
}

/** When a UUIDv7 was made, in Unix milliseconds (RFC 9562, section 5.7). */
export const timeOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)

/** Stores new records with their keys and events, in one round trip; their ids, in order. */
export async function insertRecords(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  states: readonly State[],
  importId: string | null = null,
): Promise<string[]> {
  const { orgId } = actor
  const records = states.map((state) => ({ recordId: v7(), state }))
  const columns = columnList(type)
  const created = 'to_timestamp(r.created_ms / 1000.0)'
  await Promise.all([
    tx.run({
      text: `
        insert into ${type.entity} (org_id, ${type.idField}, search, import_id, created_at, updated_at, ${columns.join(', ')})
        select $1, r.record_id, r.search, $3, ${created}, ${created}, ${columns.map((column) => `r.${column}`).join(', ')}
        from ${asRows(type)}`,
      values: [orgId, asJson(orgId, type, records), importId],
    }),
    writeKeys(
      tx,
      orgId,
      type,
      records.map(({ recordId, state }) => ({ recordId, before: null, after: state })),
    ),
    recordEventForEach(
      tx,
      actor,
      `${type.entity}.created`,
      records.map(({ recordId }) => recordId),
    ),
  ])
  return records.map(({ recordId }) => recordId)
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
  version?: number,
): Promise<Stored> {
  const id = type.idField
  const [row] = await tx.rows<State & { record_id: string; status: string; version: number }>({
    text: `
      select r.${id} as record_id, r.status, r.version, ${columnList(type)
        .map((column) => selectColumn(type, column))
        .join(', ')}
      from ${type.entity} r
      where r.org_id = $1 and r.status <> 'erased'
        and r.${id} = (select coalesce(n.merged_into_id, n.${id}) from ${type.entity} n where n.org_id = $1 and n.${id} = $2)
      for update`,
    values: [orgId, recordId],
  })
  if (!row) throw unknownRecord(type)
  const { record_id, status, version: current, ...state } = row
  if (version !== undefined && version !== current) {
    throw conflict(
      `If-Match names version ${version}, but this ${type.entity} is at version ${current}: read it again and repeat the change on what it is now`,
    )
  }
  return { recordId: record_id, status, version: current, state: readColumns(type, state) }
}

/** json as text: parsed here, so that no digit of a large number is lost. */
const selectColumn = (type: RecordType, column: string) =>
  type.columns[column] === 'json' ? `r.${column}::text` : `r.${column}`

function readColumns(type: RecordType, row: State): State {
  for (const column in type.columns) {
    if (type.columns[column] === 'json') row[column] = parseExactJson(row[column] as string)
  }
  return row
}

/** Stores changed columns; no effect (no version, no event) for a record whose columns are as they were. */
export async function updateRecords(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  changes: readonly { stored: Stored; state: State }[],
): Promise<void> {
  const { orgId } = actor
  const changed = changes
    .map(({ stored, state }) => ({
      recordId: stored.recordId,
      before: stored.state,
      state,
      fields: changedFields(type, stored.state, state),
    }))
    .filter(({ fields }) => fields.length > 0)
  if (changed.length === 0) return
  const columns = columnList(type)
  await Promise.all([
    tx.run({
      text: `
        update ${type.entity} t
        set search = r.search, version = t.version + 1, updated_at = now(), ${columns.map((column) => `${column} = r.${column}`).join(', ')}
        from ${asRows(type)}
        where t.org_id = $1 and t.${type.idField} = r.record_id`,
      values: [orgId, asJson(orgId, type, changed)],
    }),
    writeKeys(
      tx,
      orgId,
      type,
      changed.map(({ recordId, before, state }) => ({ recordId, before, after: state })),
    ),
    recordEvents(
      tx,
      actor,
      changed.map(({ recordId, fields }) => ({
        type: `${type.entity}.updated`,
        objectId: recordId,
        changed: fields,
      })),
    ),
  ])
}

/** Wire names of the fields whose columns differ. */
function changedFields(type: RecordType, before: State, after: State): string[] {
  const columns = columnList(type).filter(
    (column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]),
  )
  const field = (column: string) =>
    type.references.find((reference) => reference.rawColumn === column || reference.column === column)
      ?.field ?? column.replace(/^consent_.*/, 'consent')
  return [...new Set(columns.map(field))]
}

/** Archives an active record, or brings an archived one back; no effect if it is so already. */
export async function setArchived(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  stored: Stored,
  archived: boolean,
): Promise<void> {
  const status = archived ? 'archived' : 'active'
  if (stored.status === status) return
  const { recordId, state } = stored
  await Promise.all([
    tx.run({
      text: `
        update ${type.entity}
        set status = $3, archived_at = case when $3 = 'archived' then now() end, version = version + 1, updated_at = now()
        where org_id = $1 and ${type.idField} = $2`,
      values: [actor.orgId, recordId, status],
    }),
    writeKeys(tx, actor.orgId, type, [
      archived ? { recordId, before: state, after: null } : { recordId, before: null, after: state },
    ]),
    recordEvents(tx, actor, [
      { type: `${type.entity}.${archived ? 'archived' : 'restored'}`, objectId: recordId },
    ]),
  ])
}

/** Removes everything that a record holds, for good. Its id stays, so that nothing that names it breaks. */
export async function eraseRecord(tx: Tx, actor: Actor, type: RecordType, stored: Stored): Promise<void> {
  const { recordId, state, status } = stored
  const empty = Object.entries(type.columns).map(
    ([column, sqlType]) => `${column} = ${emptyValue(column, sqlType)}`,
  )
  await Promise.all([
    tx.run({
      text: `
        update ${type.entity}
        set status = 'erased', search = '', version = version + 1, updated_at = now(), ${empty.join(', ')}
        where org_id = $1 and ${type.idField} = $2`,
      values: [actor.orgId, recordId],
    }),
    writeKeys(tx, actor.orgId, type, [{ recordId, before: status === 'active' ? state : null, after: null }]),
    recordEvents(tx, actor, [{ type: `${type.entity}.erased`, objectId: recordId }]),
  ])
}

function emptyValue(column: string, sqlType: string): string {
  if (sqlType.endsWith('[]') || sqlType.startsWith('json')) return `'{}'`
  return column.startsWith('consent_') ? `'unknown'` : 'null'
}

export const unknownRecord = (type: RecordType) =>
  notFound(`No ${type.entity} of this organization has this id`)
