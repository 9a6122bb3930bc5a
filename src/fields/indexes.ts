import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { EntityType } from '../matching/entity-type.ts'
import { lockExclusive, tryLockExclusive } from '../platform/db/advisory-lock.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { JobIdentity } from '../platform/jobs/identity.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { minUuid } from '../records/min-uuid.ts'

const payload = z.object({ org_id: z.string(), index_id: z.string() })

/** Builds the index of a definition, or deletes its rows if no definition has it any more. */
export const indexFieldJob: JobIdentity<z.output<typeof payload>> & {
  serialKey(payload: IndexPayload): string
} = {
  name: 'index_field',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ index_id: indexId }) => `field index ${indexId}`,
}
export type IndexPayload = z.output<typeof payload>

/** Gives a definition a new index, or none. Jobs build the new one and delete the rows of `before`. */
export async function replaceIndex(
  tx: OrgTx,
  jobs: Jobs,
  fieldId: string,
  { before, isIndexed }: { before: string | null; isIndexed: boolean },
): Promise<void> {
  const indexId = isIndexed ? newId() : null
  await tx.run(sql`
    update field_definition set is_unique = is_unique and ${isIndexed}, index_id = ${indexId}, index_state = 'building', indexed_to = null
    where org_id = ${tx.orgId} and field_id = ${fieldId}`)
  for (const each of [before, indexId])
    if (each) await jobs.enqueue(tx, indexFieldJob, { org_id: tx.orgId, index_id: each })
}

// Small steps: a write of the organization waits for the end of a step. (Measured: bench/endpoints/fields.ts)
const recordsPerStep = rawSql('500')
const rowsPerDeletion = rawSql('5000')
const pauseMs = 5
const triesMax = 20

type Building = { entity: EntityType; key: string; type: string; indexed_to: string | null }

/** Returns the steps of a turn. Each returns true when the index has all records, or none. */
export function indexSteps(org: Org, indexId: string, signal: AbortSignal): () => Promise<boolean> {
  let isGone = false
  return async () => {
    const step = await org.transact((tx) => (isGone ? deleteSome(tx, indexId) : indexSome(tx, indexId)))
    isGone = step === 'gone'
    await delay(pauseMs, undefined, { signal })
    return step === 'end'
  }
}

/** Adds the next records to an index. Waits for running writes, and new writes wait for this transaction. */
async function indexSome(tx: OrgTx, indexId: string): Promise<'next' | 'end' | 'gone'> {
  await lockWrites(tx)
  const building = await tx.first(sql<Building & { index_state: string }>`
    select entity, key, type, indexed_to, index_state from field_definition
    where org_id = ${tx.orgId} and index_id = ${indexId} for no key update`)
  if (!building) return 'gone'
  if (building.index_state !== 'building') return 'end'
  const { entity, key, type, indexed_to: after } = building
  const [table, id] = [rawSql(entity), rawSql(`${entity}_id`)]
  const last = await tx.first(sql<{ record_id: string }>`
    with page as materialized (
      select r.${id} as record_id, r.custom from ${table} r
      where r.org_id = ${tx.orgId} and r.status = 'active' and r.${id} > ${after ?? minUuid}
      order by r.${id} limit ${recordsPerStep}
    ), added as (
      insert into field_value (org_id, index_id, value, record_id)
      select ${tx.orgId}, ${indexId}, v.value, page.record_id
      from page cross join lateral unnest(app.field_values(page.custom, ${key}::text, ${type}::text)) as v (value)
      order by v.value on conflict do nothing
    )
    select record_id from page order by record_id desc limit 1`)
  await tx.run(sql`
    update field_definition
    set indexed_to = ${last?.record_id ?? null}, index_state = ${last ? 'building' : 'ready'}
    where org_id = ${tx.orgId} and index_id = ${indexId}`)
  return last ? 'next' : 'end'
}

async function deleteSome(tx: OrgTx, indexId: string): Promise<'gone' | 'end'> {
  const deleted = await tx.run(sql`
    delete from field_value where org_id = ${tx.orgId} and ctid = any (array(
      select ctid from field_value where org_id = ${tx.orgId} and index_id = ${indexId} limit ${rowsPerDeletion}))`)
  return deleted > 0 ? 'gone' : 'end'
}

/** First tries to get the lock without waiting: new writes wait behind a transaction that waits for the lock. */
async function lockWrites(tx: OrgTx): Promise<void> {
  const name = `field indexes ${tx.orgId}`
  for (let tries = 0; tries < triesMax; tries++) {
    if (await tryLockExclusive(tx, name)) return
    await delay(pauseMs)
  }
  await lockExclusive(tx, name)
}

/** The build failed repeatedly. The filter still works, by reading all records. */
export async function failIndex(tx: OrgTx, indexId: string): Promise<void> {
  await tx.run(sql`
    update field_definition set index_state = 'failed'
    where org_id = ${tx.orgId} and index_id = ${indexId} and index_state = 'building'`)
}
