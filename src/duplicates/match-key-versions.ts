import type { Client } from 'pg'
import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import { normalizationVersion } from '../matching/normalize.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { addInstallationColumn } from '../platform/setup/key-check.ts'

/**
 * If this version computes match keys differently, deletes all old keys and queues all orgs (fill-match-keys.ts).
 * Runs with the migrations, as the owner of the schema. An older version does not delete newer keys.
 * @returns whether match keys must be written
 */
export async function renewMatchKeys(
  owner: Pick<Client, 'query'>,
  version = normalizationVersion,
): Promise<boolean> {
  await addInstallationColumn(owner, 'match_key_version', 'integer')
  const { rows } = await owner.query<{ version: number | null }>(
    'select match_key_version as version from app.installation',
  )
  // An installation that records no version has keys of version 1.
  const before = rows[0]?.version ?? 1
  if (before >= version) return false
  await owner.query('begin')
  try {
    await owner.query('truncate match_key')
    const { rowCount: queued } = await owner.query(
      `insert into match_key_backlog (org_id, entity, version)
       select org_id, entity, $1 from org cross join unnest($2::text[]) as e (entity)
       on conflict (org_id, entity) do update set version = excluded.version`,
      [version, entityTypes],
    )
    await owner.query('update app.installation set match_key_version = $1', [version])
    await owner.query('commit')
    return queued !== 0
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Queues all records of an org whose duplicate detection is being turned on, because no match keys were written while it
 * was off. Waits for open transactions that write records of the org: each statement that does so shares this lock
 * (migration 0060), and a transaction that gets the lock later reads the new settings.
 */
export async function queueMatchKeys(tx: OrgTx, entityTypes: readonly EntityType[]): Promise<void> {
  await lockExclusive(tx, `field indexes ${tx.orgId}`)
  await tx.run(sql`
    insert into match_key_backlog (org_id, entity, version)
    select ${tx.orgId}, entity, ${normalizationVersion} from unnest(${entityTypes}::text[]) as e (entity)
    on conflict (org_id, entity) do update
    set version = greatest(match_key_backlog.version, excluded.version)`)
}

/** Orgs and record types whose match keys may be missing. Entries of a newer version are left out. */
export function orgsWithoutKeys(
  scope: SystemScope,
  version = normalizationVersion,
): Promise<{ orgId: string; entityType: EntityType }[]> {
  return scope.readRows(sql`
    select org_id as "orgId", entity as "entityType" from match_key_backlog
    where version <= ${version} order by org_id, entity`)
}
