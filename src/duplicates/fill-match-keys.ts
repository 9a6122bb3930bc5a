import type { EntityType } from '../matching/entity-type.ts'
import { matchKeysOf } from '../matching/match-keys.ts'
import { entityNumbers } from '../matching/match-record.ts'
import { normVersion } from '../matching/normalize.ts'
import type { Context } from '../platform/context.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { repeat } from '../platform/repeat.ts'
import { keyArrays } from '../records/key-change.ts'
import { minUuid } from '../records/min-uuid.ts'
import { comparedColumns } from './engine/compared-records.ts'
import { recordTypes } from './entities.ts'
import { orgsWithoutKeys } from './match-key-versions.ts'

const pollMs = 10_000
const recordsPerBatch = 500

/**
 * Writes missing match keys in the background, soon after the start. Any number of processes may run this at once, also
 * while scans do the same: existing keys stay.
 * @returns a function that stops it
 */
export function fillMatchKeys(scope: SystemScope, context: Context): () => Promise<void> {
  return repeat(
    pollMs,
    (stopping) => fillAllMatchKeys(scope, context, stopping),
    (error) => context.log.warn({ err: error }, 'match keys were not written; retrying'),
  )
}

/** Writes the missing match keys of all orgs. @throws the errors of failed orgs, after all other orgs are done */
export async function fillAllMatchKeys(
  scope: SystemScope,
  { database, log }: Pick<Context, 'database' | 'log'>,
  stopping: () => boolean = () => false,
  version = normVersion,
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

/** Writes the missing match keys of an org's records of a type. It returns early if `stopping` says so. */
export async function writeMissingMatchKeys(
  org: Org,
  entityType: EntityType,
  stopping: () => boolean,
  version = normVersion,
): Promise<void> {
  for (let after: string | null = minUuid; after !== null; ) {
    if (stopping()) return
    const from: string = after
    after = await org.transact((tx) => writeKeysOfBatch(tx, org.orgId, entityType, from))
  }
  await org.transact((tx) =>
    tx.run({
      // A newer version may have started over in the meantime.
      text: 'delete from match_key_backlog where org_id = $1 and entity = $2 and version <= $3',
      values: [org.orgId, entityType, version],
    }),
  )
}

/** Whether match keys of an org's records may be missing. */
export async function lacksMatchKeys(tx: OrgTx, orgId: string, entityType: EntityType): Promise<boolean> {
  const rows = await tx.rows({
    text: 'select from match_key_backlog where org_id = $1 and entity = $2 and version <= $3',
    values: [orgId, entityType, normVersion],
  })
  return rows.length > 0
}

/** Writes the missing match keys of a batch of active records. @returns the last id of the batch; null: no more records */
async function writeKeysOfBatch(
  tx: OrgTx,
  orgId: string,
  entityType: EntityType,
  after: string,
): Promise<string | null> {
  const id = recordTypes[entityType].idField
  // `for share`: a concurrent change would replace keys that do not exist yet.
  const rows = await tx.rows<Record<string, unknown> & { record_id: string }>({
    text: `
      select ${id} as record_id, ${comparedColumns(entityType).join(', ')} from ${entityType}
      where org_id = $1 and status = 'active' and ${id} > $2 order by ${id} limit ${recordsPerBatch} for share`,
    values: [orgId, after],
  })
  const keys = rows.flatMap((row) =>
    matchKeysOf(entityType, row).map((key) => ({ ...key, recordId: row.record_id })),
  )
  if (keys.length > 0) {
    await tx.run({
      text: `
        insert into match_key (org_id, entity, kind, hash, record_id)
        select $1, $2, k.kind, k.hash, k.record_id
        from unnest($3::smallint[], $4::bigint[], $5::uuid[]) as k (kind, hash, record_id)
        order by k.kind, k.hash on conflict do nothing`,
      values: [orgId, entityNumbers[entityType], ...keyArrays(keys)],
    })
  }
  return rows.at(-1)?.record_id ?? null
}
