import type { Client } from 'pg'
import { addInstallationColumn } from '../platform/db/setup/key-check.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { EntityType } from './entities.ts'
import { normVersion } from './matcher/normalise.ts'

/**
 * Sees that no match key is older than the way in which they are made: where that changed, the stored ones go, as records
 * would be told by keys that they do not have any more, and all orgs are noted to get theirs anew (finding/fill-keys.ts). Run
 * with the migrations, as the owner; a process of an older version leaves newer keys alone.
 * @returns whether there is anything to fill
 */
export async function renewMatchKeys(owner: Pick<Client, 'query'>, version = normVersion): Promise<boolean> {
  await addInstallationColumn(owner, 'match_key_version', 'integer')
  const { rows } = await owner.query<{ version: number | null }>(
    'select match_key_version as version from app.installation',
  )
  // An installation that says nothing has those of the first.
  const before = rows[0]?.version ?? 1
  if (before >= version) return false
  await owner.query('begin')
  try {
    await owner.query('truncate match_key')
    await owner.query(
      `insert into match_key_backlog (org_id, entity, version)
       select org_id, entity, $1 from org cross join unnest(array['contact', 'company', 'deal']) as e (entity)
       on conflict (org_id, entity) do update set version = excluded.version`,
      [version],
    )
    await owner.query('update app.installation set match_key_version = $1', [version])
    await owner.query('commit')
    return true
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
}

/** Orgs, by kind of record, of whose records some may lack their match keys; those of a newer version are left to that. */
export function orgsWithoutKeys(
  scope: SystemScope,
  version = normVersion,
): Promise<{ orgId: string; entityType: EntityType }[]> {
  return scope.readRows({
    text: `
      select org_id as "orgId", entity as "entityType" from match_key_backlog
      where version <= $1 order by org_id, entity`,
    values: [version],
  })
}
