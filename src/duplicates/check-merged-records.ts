import { isDeepStrictEqual } from 'node:util'
import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { absorbedOf, readAbsorbed } from '../records/clusters/absorbed.ts'
import { clusterOf } from '../records/clusters/facts.ts'
import { deriveColumns } from '../records/clusters/regroup.ts'
import { readOrgDefaults } from '../records/create.ts'
import { hashedKeys, keyName } from '../records/keys.ts'
import { lockRecords } from '../records/lock.ts'
import { minUuid } from '../records/min-uuid.ts'
import type { RecordType, StoredRecord } from '../records/record-type.ts'
import { lockReferencesOf } from '../records/references.ts'
import { changedFields } from '../records/write.ts'
import { recordTypes } from './entities.ts'

/** A merged record whose columns, keys or references differ from its facts and merges. */
type Deviation = { entity_type: EntityType; record_id: string; wrong: string[] }

/** The maximum number of records that one transaction checks. */
const recordsPerBatch = 100

/**
 * Computes the merged records of an org again, compares them with the stored ones, and checks the references to them.
 * Writes nothing.
 * @returns how many records were checked, and the records that differ
 */
export async function checkMergedRecords(org: Org): Promise<{ checked: number; deviations: Deviation[] }> {
  const found = { checked: 0, deviations: [] as Deviation[] }
  for (const entityType of entityTypes) {
    const type = recordTypes[entityType]
    for (let after: string | null = minUuid; after !== null; ) {
      const from: string = after
      const batch = await org.transact((tx) => checkMergedBatch(tx, entityType, from))
      found.checked += batch.checked
      found.deviations.push(...batch.deviations)
      after = batch.last
    }
    const misplaced = await org.transact((tx) => misplacedOf(tx, type))
    for (const { record_id, wrong } of misplaced)
      found.deviations.push({ entity_type: entityType, record_id, wrong: [wrong] })
  }
  return found
}

type CheckedBatch = { checked: number; deviations: Deviation[]; last: string | null }

async function checkMergedBatch(tx: OrgTx, entityType: EntityType, after: string): Promise<CheckedBatch> {
  const type = recordTypes[entityType]
  const [id, table] = [rawSql(type.idField), rawSql(type.entity)]
  const orgDefaults = await readOrgDefaults(tx, type, [])
  const rows = await tx.rows(sql<{ record_id: string }>`
    select r.${id} as record_id from ${table} r
    where r.org_id = ${tx.orgId} and r.facts is not null
      and r.status in ('active', 'archived') and r.${id} > ${after}::uuid
    order by r.${id} limit ${rawSql(String(recordsPerBatch))}`)
  const ids = rows.map((row) => row.record_id)
  await lockReferencesOf(tx, type, ids)
  const records = (await lockRecords(tx, type, ids)).filter(({ status }) => status !== 'merged')
  const clusters = records.map((stored) => clusterOf(type, stored))
  const derived = await deriveColumns(tx, type, clusters, orgDefaults)
  const deviations: Deviation[] = []
  for (const [index, stored] of records.entries()) {
    const wrong = changedFields(type, stored.state, derived[index] ?? {})
    if (!(await hasKeys(tx, type, stored))) wrong.push('keys')
    const due = absorbedOf(clusterOf(type, stored), derived[index] ?? {})
    if (!isDeepStrictEqual(await readAbsorbed(tx, type, stored.recordId), due)) wrong.push('merged_ids')
    if (wrong.length > 0) deviations.push({ entity_type: entityType, record_id: stored.recordId, wrong })
  }
  return {
    checked: records.length,
    deviations,
    last: ids.length < recordsPerBatch ? null : (ids.at(-1) ?? null),
  }
}

/** Returns whether a record has exactly the keys of its columns. An archived record must have none. */
async function hasKeys(tx: OrgTx, type: RecordType, stored: StoredRecord): Promise<boolean> {
  const rows = await tx.rows(sql<{ kind: string; hash: string }>`
    select kind, hash::text as hash from ${rawSql(`${type.entity}_key`)}
    where org_id = ${tx.orgId} and ${rawSql(type.idField)} = ${stored.recordId}`)
  const due = stored.status === 'active' ? hashedKeys(type.keys(stored.state)) : []
  return isDeepStrictEqual(rows.map(keyName).sort(), due.map(keyName).sort())
}

/**
 * Finds records whose canonical record or references do not match the applied merges. Skips references that a job
 * still moves.
 */
async function misplacedOf(
  tx: OrgTx,
  { entity, idField, references, links }: RecordType,
): Promise<{ record_id: string; wrong: string }[]> {
  const [id, records] = [rawSql(idField), rawSql(entity)]
  const rows = await tx.rows(sql<{ record_id: string; wrong: string }>`
    with recursive under as (
      select m.loser_id, m.survivor_id as root_id from merge m
      where m.org_id = ${tx.orgId} and m.entity = ${entity} and m.status = 'applied'
      union
      select u.loser_id, m.survivor_id from under u
      join merge m
      on m.org_id = ${tx.orgId} and m.entity = ${entity} and m.status = 'applied' and m.loser_id = u.root_id
    ), root as (
      select u.loser_id, u.root_id from under u where not exists (
        select from merge m
        where m.org_id = ${tx.orgId} and m.entity = ${entity} and m.status = 'applied' and m.loser_id = u.root_id)
    )
    select r.${id} as record_id, 'merged_into_id' as wrong from ${records} r
    left join root on root.loser_id = r.${id}
    where r.org_id = ${tx.orgId} and r.status <> 'erased'
      and (r.merged_into_id is not null or root.root_id is not null)
      and (r.merged_into_id is distinct from root.root_id or r.status <> 'merged')`)
  const referring = [...references.map((each) => ({ ...each, table: entity as string })), ...links]
  for (const { table, rawColumn, column, to, field } of referring) {
    const isColumn = table === entity
    const raw = rawSql(isColumn ? rawColumn : `${to}_raw_id`)
    const canonical = rawSql(isColumn ? column : `${to}_id`)
    const [referred, referredId] = [rawSql(to), rawSql(`${to}_id`)]
    const wrong = await tx.rows(sql<{ record_id: string; wrong: string }>`
      select t.${id} as record_id, ${field}::text as wrong from ${rawSql(table)} t
      join ${records} r on r.org_id = t.org_id and r.${id} = t.${id} and r.status <> 'merged'
      left join ${referred} n on n.org_id = t.org_id and n.${referredId} = t.${raw}
      where t.org_id = ${tx.orgId} and t.${canonical} is distinct from coalesce(n.merged_into_id, n.${referredId})
        and not exists (select from child_move v where v.org_id = t.org_id and v.from_id = t.${canonical})`)
    rows.push(...wrong)
  }
  return rows
}
