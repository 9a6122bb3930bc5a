import type { EntityType } from '../../matching/entity-type.ts'
import type { Matcher } from '../../matching/schema.ts'
import { visitorSystem } from '../../normalize/visitor-system.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { inSlices } from '../../platform/slices.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { unmergedState } from '../../records/clusters/view.ts'
import { readRecords } from '../../records/lock.ts'
import type { StoredColumns, StoredRecord } from '../../records/record-type.ts'
import { recordTypes } from '../entities.ts'
import { type ComparableRecord, readComparable, type Traits } from './comparable-record.ts'

/** A canonical record as the engine compares it: one entry for its own facts, and one entry for each absorbed record. */
export type CanonicalRecord<Entity extends keyof Traits = keyof Traits> = {
  rootId: string
  version: number
  /** The creation time of the oldest member in Unix milliseconds. */
  createdAt: number
  /** Whether the record has an external id that is not the id of a visitor. */
  hasExternalId: boolean
  /** Whether only the statements of visitors made the record. */
  isClaimed: boolean
  members: { recordId: string; comparable: ComparableRecord<Entity> }[]
}

/**
 * Reads the active canonical records of some ids. The result maps canonical ids to records.
 * @param archived the id of a record to return even if it is archived
 */
export async function readCanonicalRecords(
  tx: OrgTx,
  entityType: EntityType,
  matcher: Matcher,
  recordIds: readonly string[],
  { archived }: { archived?: string } = {},
): Promise<Map<string, CanonicalRecord>> {
  if (recordIds.length === 0) return new Map()
  const type = recordTypes[entityType]
  const named = await readRecords(tx, type, [...new Set(recordIds)])
  const known = new Set(named.map((stored) => stored.recordId))
  const merged = named.filter(({ status }) => status === 'merged').map((stored) => stored.recordId)
  const roots = merged.length > 0 ? [...(await readCanonicalIds(tx, entityType, merged)).values()] : []
  const others = roots.filter((id) => !known.has(id))
  const records = others.length > 0 ? await readRecords(tx, type, [...new Set(others)]) : []
  const shown = [...named, ...records].filter(
    ({ recordId, status }) => status === 'active' || recordId === archived,
  )
  const prepared = await inSlices(tx.payerId, makingCanonicalRecords(entityType, shown, matcher))
  return new Map(prepared.map((record) => [record.rootId, record]))
}

/** Makes canonical records in steps, because a record may have absorbed 500 others with 50 addresses each. */
export function* makingCanonicalRecords(
  entityType: EntityType,
  stored: readonly StoredRecord[],
  matcher: Matcher,
): Generator<undefined, CanonicalRecord[]> {
  const records: CanonicalRecord[] = []
  for (const each of stored) records.push(yield* makingCanonicalRecord(entityType, each, matcher))
  return records
}

/**
 * The engine compares an absorbed record by its own values. A mix with the survivor's values could resemble a third
 * record.
 */
function* makingCanonicalRecord(
  entityType: EntityType,
  { recordId, version, state, cluster }: StoredRecord,
  matcher: Matcher,
): Generator<undefined, CanonicalRecord> {
  const toComparable = readComparable[entityType] as (
    state: StoredColumns,
    matcher: Matcher,
  ) => ComparableRecord<keyof Traits>
  const type = recordTypes[entityType]
  // The canonical ids of references are known only for the whole record.
  const { external_ids, company_id, contact_ids } = state
  const members: CanonicalRecord['members'] = []
  let isClaimed = true
  for (const [id, facts] of cluster?.members ?? [[recordId, null] as const]) {
    const own = facts === null ? state : { ...unmergedState(type, facts), company_id, contact_ids }
    isClaimed &&= (own.claimed_by ?? null) !== null
    members.push({ recordId: id, comparable: toComparable(own, matcher) })
    yield
  }
  return {
    rootId: recordId,
    version,
    createdAt: Math.min(...members.map((member) => timeOf(member.recordId))),
    hasExternalId: Object.keys(external_ids as object).some((system) => system !== visitorSystem),
    isClaimed,
    members,
  }
}

/** Returns the versions of active records, by id. */
export async function readVersions(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Map<string, number>> {
  const [id, table] = [rawSql(recordTypes[entityType].idField), rawSql(entityType)]
  // Use no condition except the id: without statistics, PostgreSQL would scan all active records.
  const rows = await tx.rows(sql<{ record_id: string; version: number; status: string }>`
    select ${id} as record_id, version, status from ${table}
    where org_id = ${tx.orgId} and ${id} = any(${recordIds}::uuid[])`)
  const active = rows.filter(({ status }) => status === 'active')
  return new Map(active.map(({ record_id, version }) => [record_id, version]))
}

/** Returns counts by id. Records without referrers are left out. */
export async function countReferrersOf(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Map<string, number>> {
  const referrers = new Map<string, number>()
  for (const { entity, column: name, table } of recordTypes[entityType].referrers) {
    const column = rawSql(name)
    // Link tables have no status.
    const isShown = table ? sql`` : sql`and status <> 'merged'`
    const rows = await tx.rows(sql<{ record_id: string; referrers: number }>`
      select ${column} as record_id, count(*)::int as referrers from ${rawSql(table ?? entity)}
      where org_id = ${tx.orgId} and ${column} = any(${recordIds}::uuid[]) ${isShown}
      group by ${column}`)
    for (const row of rows) referrers.set(row.record_id, (referrers.get(row.record_id) ?? 0) + row.referrers)
  }
  return referrers
}
