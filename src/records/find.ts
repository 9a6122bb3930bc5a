import { anyUuid } from '../platform/db/any-uuid.ts'
import type { TextRow } from '../platform/db/json-columns.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { requireAllRows } from '../platform/db/row-bound.ts'
import { rawSql, type Sql, sql, withTextRows } from '../platform/db/sql.ts'
import type { Statement } from '../platform/db/statement.ts'
import type { Columns } from '../platform/db/tables.ts'
import { Json } from '../platform/json.ts'
import { mapInSlices } from '../platform/slices.ts'
import { recordNotFound } from './lock.ts'
import type { RecordType } from './record-type.ts'

export type FoundRecord = { recordId: string; version: number; json: Json }

function findStatement(
  orgId: string,
  type: RecordType,
  recordId: string,
  wire = type.wire,
): Statement<TextRow> {
  const [id, table] = [rawSql(type.idField), rawSql(type.entity)]
  // With a join, a plan made for an empty table would scan all records of the organization.
  return withTextRows(sql<TextRow>`
    select r.${id}, r.version, ${wire.columns}
    from ${table} r
    where r.org_id = ${orgId} and r.status <> 'erased'
      and r.${id} = (
        select coalesce(n.merged_into_id, n.${id}) from ${table} n where n.org_id = ${orgId} and n.${id} = ${recordId})`)
}

function toFound(type: RecordType, [row]: TextRow[], wire = type.wire): FoundRecord {
  const [recordId, version] = row ?? []
  if (!row || !recordId) throw recordNotFound(type)
  return { recordId, version: Number(version), json: new Json(wire.object(row, 2)) }
}

/**
 * Finds the canonical record of `recordId`, even if archived, in one round trip.
 * @param wire the members to show; by default all
 * @throws DomainError not_found
 */
export async function findRecord(
  org: Org,
  type: RecordType,
  recordId: string,
  wire = type.wire,
): Promise<FoundRecord> {
  return toFound(type, await org.readRows(findStatement(org.orgId, type, recordId, wire)), wire)
}

/** Reads a record, including the writes of the transaction. @throws DomainError not_found */
export async function reloadRecord(tx: OrgTx, type: RecordType, recordId: string): Promise<FoundRecord> {
  return toFound(type, await tx.rows(findStatement(tx.orgId, type, recordId)))
}

/** Reads records, including the writes of the transaction. The ids must be canonical. @throws DomainError too_large */
export async function reloadRecords(
  tx: OrgTx,
  type: RecordType,
  recordIds: readonly string[],
): Promise<Map<string, FoundRecord>> {
  const [id, table] = [rawSql(type.idField), rawSql(type.entity)]
  const rows = await tx.rows(
    withTextRows(sql<TextRow>`
      select r.${id}, r.version, ${type.wire.columns}
      from ${table} r where r.org_id = ${tx.orgId} and r.${id} = ${anyUuid(recordIds)}`),
  )
  const found = await mapInSlices(tx.payerId, requireAllRows(rows), (row) => toFound(type, [row]))
  return new Map(found.map((each) => [each.recordId, each]))
}

/** Runs a statement that writes records `r`. @returns the written records. @throws DomainError too_large */
export async function shownRows(tx: OrgTx, type: RecordType, write: Sql): Promise<Map<string, FoundRecord>> {
  const rows = await tx.rows(
    withTextRows(sql<TextRow>`${write} returning r.${rawSql(type.idField)}, r.version, ${type.wire.columns}`),
  )
  const found = requireAllRows(rows).map((row) => toFound(type, [row]))
  return new Map(found.map((each) => [each.recordId, each]))
}

/** Returns the country of phone numbers without a country code. */
export async function defaultCountry(tx: OrgTx): Promise<string | null> {
  const row = await tx.first(sql<Columns<'org', 'default_country'>>`
    select default_country from org where org_id = ${tx.orgId}`)
  return row?.default_country ?? null
}
