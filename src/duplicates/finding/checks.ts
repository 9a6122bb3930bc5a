import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { EntityType } from '../entities.ts'
import { entityNumbers } from '../match-record.ts'

/** A note that a record is to be looked at, or all that an import created; taken for a while. */
export type Check = {
  checkId: number
  entityType: EntityType
  recordId: string | null
  importId: string | null
  tries: number
}

/** How long a lot that was taken is its process's; then another takes it. */
const leaseSeconds = 30

const entityOf = new Map(
  Object.entries(entityNumbers).map(([entity, number]) => [number as number, entity as EntityType]),
)

/** The orgs that have checks which are due, each once. */
export async function orgsWithChecks(scope: SystemScope): Promise<string[]> {
  // Steps from org to org on the primary key, however many checks each has.
  const rows = await scope.readRows<{ org_id: string }>({
    text: `
      with recursive lane as (
        (select org_id from duplicate_check order by org_id, check_id limit 1)
        union all
        select next.org_id from lane cross join lateral (
          select c.org_id from duplicate_check c where c.org_id > lane.org_id order by c.org_id, c.check_id limit 1
        ) as next
      )
      select org_id from lane where exists (
        select from duplicate_check c where c.org_id = lane.org_id and (c.due_at is null or c.due_at <= now()))`,
    values: [],
  })
  return rows.map(({ org_id }) => org_id)
}

/**
 * Holds the oldest checks of an org that are due and that nobody else has, `limit` at most, until the transaction ends. It
 * commits without waiting for the disk: after a crash of the database its checks are there again.
 */
export async function holdChecks(tx: Tx, orgId: string, limit: number): Promise<Check[]> {
  const rows = await tx.rows<{
    check_id: number
    entity: number
    record_id: string | null
    import_id: string | null
    tries: number
  }>({
    text: `
      select check_id, entity, record_id, import_id, tries,
        (select set_config('synchronous_commit', 'off', true)) as commits
      from duplicate_check
      where org_id = $1 and (due_at is null or due_at <= now())
      order by check_id limit $2 for update skip locked`,
    values: [orgId, limit],
  })
  return rows.map(({ check_id, entity, record_id, import_id, tries }) => ({
    checkId: check_id,
    entityType: entityOf.get(entity)!,
    recordId: record_id,
    importId: import_id,
    tries,
  }))
}

/** Makes checks that are held this process's for a while after the transaction; they are tried once more then. */
export async function takeChecks(tx: Tx, orgId: string, checks: readonly Check[]): Promise<Check[]> {
  if (checks.length === 0) return []
  await tx.run({
    text: `
      update duplicate_check set due_at = now() + interval '${leaseSeconds} seconds', tries = tries + 1
      where org_id = $1 and check_id = any($2::bigint[])`,
    values: [orgId, checks.map(({ checkId }) => checkId)],
  })
  return checks.map((check) => ({ ...check, tries: check.tries + 1 }))
}

/** Removes checks that are done. */
export async function endChecks(tx: Tx, orgId: string, checks: readonly Check[]): Promise<void> {
  if (checks.length === 0) return
  await tx.run({
    text: 'delete from duplicate_check where org_id = $1 and check_id = any($2::bigint[])',
    values: [orgId, checks.map(({ checkId }) => checkId)],
  })
}

/** Has checks tried again after a while. */
export async function putOff(
  tx: Tx,
  orgId: string,
  checks: readonly Check[],
  seconds: number,
): Promise<void> {
  await tx.run({
    text: `
      update duplicate_check set due_at = now() + $3 * interval '1 second'
      where org_id = $1 and check_id = any($2::bigint[])`,
    values: [orgId, checks.map(({ checkId }) => checkId), seconds],
  })
}

/** From here on the count says "at least": counting stays cheap. */
export const countedMost = 10_000

/** How many checks wait, up to `countedMost`. */
export async function countChecks(scope: SystemScope): Promise<number> {
  const [row] = await scope.readRows<{ checks: number }>({
    text: `select count(*)::int as checks from (select from duplicate_check limit ${countedMost}) as found`,
    values: [],
  })
  return row!.checks
}
