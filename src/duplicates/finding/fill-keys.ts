import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { repeat } from '../../platform/repeat.ts'
import { beforeAll } from '../../records/before-all.ts'
import { keyArrays } from '../../records/keys.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import { orgsWithoutKeys } from '../key-versions.ts'
import { matchKeysOf } from '../match-keys.ts'
import { entityNumbers } from '../match-record.ts'
import { normVersion } from '../matcher/normalise.ts'
import { comparedColumns } from './records.ts'

const lookMs = 10_000
const recordsPerLot = 500

/**
 * Writes the match keys of orgs whose records are older than these, soon after the start. Any number of processes may do so
 * at once, and scans as well: what is there already is left. Returns how to stop.
 */
export function fillMatchKeys(scope: SystemScope, context: Context): () => Promise<void> {
  return repeat(
    lookMs,
    (stopping) => fillAll(scope, context, stopping),
    (error) => context.log.warn({ err: error }, 'match keys were not written; later'),
  )
}

/** Writes all match keys that are missing. @throws what kept it from those of an org, once the others are written */
export async function fillAll(
  scope: SystemScope,
  { database, log }: Pick<Context, 'database' | 'log'>,
  stopping: () => boolean = () => false,
  version = normVersion,
): Promise<void> {
  const errors: unknown[] = []
  for (const { orgId, entityType } of await orgsWithoutKeys(scope, version)) {
    try {
      await writeMissingKeys(database.org(orgId), entityType, stopping, version)
      if (stopping()) return
      log.info({ org_id: orgId, entity: entityType }, 'match keys are written')
    } catch (error) {
      errors.push(error)
    }
  }
  for (const error of errors) throw error
}

/** Writes the match keys that an org's records of a kind lack, and notes that none does; not to the end if it is to stop. */
export async function writeMissingKeys(
  org: Org,
  entityType: EntityType,
  stopping: () => boolean,
  version = normVersion,
): Promise<void> {
  for (let after: string | null = beforeAll; after !== null; ) {
    if (stopping()) return
    const from: string = after
    after = await org.transact((tx) => writeKeysOfLot(tx, org.orgId, entityType, from))
  }
  await org.transact((tx) =>
    tx.run({
      // A newer version may have begun anew meanwhile.
      text: 'delete from match_key_backlog where org_id = $1 and entity = $2 and version <= $3',
      values: [org.orgId, entityType, version],
    }),
  )
}

/** Whether some of an org's records may lack their match keys, being older than these. */
export async function lacksKeys(tx: Tx, orgId: string, entityType: EntityType): Promise<boolean> {
  const rows = await tx.rows({
    text: 'select from match_key_backlog where org_id = $1 and entity = $2 and version <= $3',
    values: [orgId, entityType, normVersion],
  })
  return rows.length > 0
}

/** Writes the match keys that a lot of an org's active records lack; the last id of the lot, null: there are no more. */
async function writeKeysOfLot(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  after: string,
): Promise<string | null> {
  const id = recordTypes[entityType].idField
  // Held: whoever changes one moves its keys from those of the columns that are read here.
  const rows = await tx.rows<Record<string, unknown> & { record_id: string }>({
    text: `
      select ${id} as record_id, ${comparedColumns(entityType).join(', ')} from ${entityType}
      where org_id = $1 and status = 'active' and ${id} > $2 order by ${id} limit ${recordsPerLot} for share`,
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
