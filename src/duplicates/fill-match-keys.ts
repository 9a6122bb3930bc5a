import type { EntityType } from '../matching/entity-type.ts'
import { matchKeysOf } from '../matching/match-keys.ts'
import { entityNumbers } from '../matching/match-record.ts'
import { normalizationVersion } from '../matching/normalize.ts'
import type { Context } from '../platform/context.ts'
import { smallint } from '../platform/db/binary-array.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { keyArrays } from '../records/key-change.ts'
import { minUuid } from '../records/min-uuid.ts'
import { comparedColumns } from './engine/compared-records.ts'
import { recordTypes } from './entities.ts'
import { orgsWithoutKeys } from './match-key-versions.ts'

const pollMs = 10_000
const recordsPerBatch = 500

/**
 * Writes missing match keys in the background, soon after the start. It never replaces a key, so many processes and
 * scans can write at once.
 * @returns a function that stops it
 */
export function fillMatchKeys(scope: SystemScope, context: Context): () => Promise<void> {
  return repeatEvery(
    pollMs,
    (stopping) => fillAllMatchKeys(scope, context, stopping),
    (error) => context.log.warn({ err: error }, 'match keys were not written; retrying'),
  )
}

/** @throws the errors of failed orgs, after all other orgs are done */
export async function fillAllMatchKeys(
  scope: SystemScope,
  { database, log }: Pick<Context, 'database' | 'log'>,
  stopping: () => boolean = () => false,
  version = normalizationVersion,
): Promise<void> {
  const errors: unknown[] = []
  for (const { orgId, entityType } of await orgsWithoutKeys(scope, version)) {
    try {
      await writeMissingMatchKeys(database.org(orgId), entityType, stopping, version)
      if (stopping()) return
      log.info({ org_id: orgId, entity: entityType }, 'match keys are written')
    } catch (error) {
      errors.push(error)
    }
  }
  for (const error of errors) throw error
}

/**
 * Writes the missing match keys of all records of a type, in batches. Does nothing if none are missing. Returns early if
 * `stopping` returns true.
 */
export async function writeMissingMatchKeys(
  org: Org,
  entityType: EntityType,
  stopping: () => boolean,
  version = normalizationVersion,
): Promise<void> {
  const entry = await org.read((tx) => backlogEntry(tx, entityType, version))
  if (entry === null) return
  for (let after: string | null = minUuid; after !== null; ) {
    if (stopping()) return
    const from: string = after
    after = await org.transact((tx) => writeKeysOfBatch(tx, entityType, from))
  }
  await org.transact((tx) =>
    // Keep an entry that was replaced meanwhile: keys are missing again.
    tx.run(sql`
      delete from match_key_backlog
      where org_id = ${tx.orgId} and entity = ${entityType} and xmin::text = ${entry}`),
  )
}

/**
 * Identifies the entry that queues the records of a type; null: no keys are missing. A newer version of Crosswalk, and
 * turning duplicate detection on, replace the entry.
 */
async function backlogEntry(tx: OrgTx, entityType: EntityType, version: number): Promise<string | null> {
  const row = await tx.first(sql<{ entry: string }>`
    select xmin::text as entry from match_key_backlog
    where org_id = ${tx.orgId} and entity = ${entityType} and version <= ${version}`)
  return row?.entry ?? null
}

/** Writes the keys of a batch of active records. @returns the last id of the batch; null: no more records */
async function writeKeysOfBatch(tx: OrgTx, entityType: EntityType, after: string): Promise<string | null> {
  const [id, table] = [rawSql(recordTypes[entityType].idField), rawSql(entityType)]
  const columns = rawSql(comparedColumns(entityType).join(', '))
  // Lock with `for share`: a change that replaces the keys of a record must wait until they are written.
  const rows = await tx.rows(sql<Record<string, unknown> & { record_id: string }>`
    select ${id} as record_id, ${columns} from ${table}
    where org_id = ${tx.orgId} and status = 'active' and ${id} > ${after}
    order by ${id} limit ${rawSql(String(recordsPerBatch))} for share`)
  const keys = rows.flatMap((row) =>
    matchKeysOf(entityType, row).map((key) => ({ ...key, recordId: row.record_id })),
  )
  if (keys.length > 0) {
    const [kinds, hashes, recordIds] = keyArrays(smallint, keys)
    await tx.run(sql`
      insert into match_key (org_id, entity, kind, hash, record_id)
      select ${tx.orgId}, ${entityNumbers[entityType]}, k.kind, k.hash, k.record_id
      from unnest(${kinds}::smallint[], ${hashes}::bigint[], ${recordIds}::uuid[]) as k (kind, hash, record_id)
      order by k.kind, k.hash on conflict do nothing`)
  }
  return rows.at(-1)?.record_id ?? null
}
