import { anyUuid } from '../platform/db/any-uuid.ts'
import type { TextRow } from '../platform/db/json-columns.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql, withTextRows } from '../platform/db/sql.ts'
import type { Statement } from '../platform/db/statement.ts'
import type { Columns } from '../platform/db/tables.ts'
import { Json } from '../platform/json.ts'
import { mapInSlices } from '../platform/slices.ts'
import { unknownRecord } from './lock.ts'
import type { RecordType } from './record-type.ts'

/** A record in its wire form. */
export type Found = { recordId: string; version: number; json: Json }

function findStatement(
  orgId: string,
  type: RecordType,
  recordId: string,
  wire = type.wire,
): Statement<TextRow> {
  const [id, table] = [rawSql(type.idField), rawSql(type.entity)]
  // No join: a plan from the time when the table was empty would scan all records of the organization.
  return withTextRows(sql<TextRow>`
    select r.${id}, r.version, ${wire.columns}
    from ${table} r
    where r.org_id = ${orgId} and r.status <> 'erased'
      and r.${id} = (
        select coalesce(n.merged_into_id, n.${id}) from ${table} n where n.org_id = ${orgId} and n.${id} = ${recordId})`)
}

function toFound(type: RecordType, [row]: TextRow[], wire = type.wire): Found {
  const [recordId, version] = row ?? []
  if (!row || !recordId) throw unknownRecord(type)
  return { recordId, version: Number(version), json: new Json(wire.object(row, 2)) }
}

/**
 * The canonical record of `recordId`, also if it is archived, in one round trip.
 * @param wire what of it is shown; everything unless told
 * @throws DomainError not_found
 */
export async function findRecord(
  org: Org,
  type: RecordType,
  recordId: string,
  wire = type.wire,
): Promise<Found> {
  return toFound(type, await org.readRows(findStatement(org.orgId, type, recordId, wire)), wire)
}

/** The same within a transaction, after its writes. @throws DomainError not_found */
export async function reloadRecord(tx: OrgTx, type: RecordType, recordId: string): Promise<Found> {
  return toFound(type, await tx.rows(findStatement(tx.orgId, type, recordId)))
}

/** The wire forms of canonical records by id, within a transaction, after its writes. */
export async function reloadRecords(
  tx: OrgTx,
  type: RecordType,
  recordIds: readonly string[],
): Promise<Map<string, Json>> {
  const [id, table] = [rawSql(type.idField), rawSql(type.entity)]
  const rows = await tx.rows(
    withTextRows(sql<TextRow>`
      select r.${id}, r.version, ${type.wire.columns}
      from ${table} r where r.org_id = ${tx.orgId} and r.${id} = ${anyUuid(recordIds)}`),
  )
  const found = await mapInSlices(tx.orgId, rows, (row) => toFound(type, [row]))
  return new Map(found.map(({ recordId, json }) => [recordId, json]))
}

/** The org's country for phone numbers without a country code. */
export async function defaultCountry(tx: OrgTx): Promise<string | null> {
  const row = await tx.first(sql<Columns<'org', 'default_country'>>`
    select default_country from org where org_id = ${tx.orgId}`)
  return row?.default_country ?? null
}
