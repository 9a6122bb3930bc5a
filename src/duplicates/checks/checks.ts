import { type EntityType, entityTypes } from '../../matching/entity-type.ts'
import { entityNumbers } from '../../matching/match-record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { joinPayer, payerId } from '../../platform/jobs/payer.ts'

/** A waiting check of a changed record, or of all records that an import created. */
export type Check = {
  checkId: number
  entityType: EntityType
  recordId: string | null
  importId: string | null
  tries: number
}

const entityTypeOf = (number: number): EntityType => {
  const entityType = entityTypes.find((each) => entityNumbers[each] === number)
  if (!entityType) throw new Error(`No record type has the number ${number}`)
  return entityType
}

/** An organization with a check that is due, and the organization with which it takes turns (see platform/jobs/payer.ts). */
export type DueOrg = { orgId: string; payerId: string }

/** Returns the organizations with a check that is due. */
export function orgsWithChecks(scope: SystemScope): Promise<DueOrg[]> {
  // Jump from org to org in the index: the cost then depends on the number of orgs only.
  return scope.readRows(sql<DueOrg>`
    with recursive lane as (
      (select org_id from duplicate_check order by org_id, check_id limit 1)
      union all
      select next.org_id from lane cross join lateral (
        select c.org_id from duplicate_check c where c.org_id > lane.org_id order by c.org_id, c.check_id limit 1
      ) as next
    )
    select lane.org_id as "orgId", coalesce(${payerId}, lane.org_id) as "payerId"
    from lane ${joinPayer(sql`lane.org_id`)}
    where exists (
      select from duplicate_check c where c.org_id = lane.org_id and (c.due_at is null or c.due_at <= now()))`)
}

/**
 * Locks the oldest due checks that no other process has locked. The commit does not wait for the disk: if the
 * database crashes, the checks run again.
 */
export async function lockChecks(tx: OrgTx, limit: number): Promise<Check[]> {
  const rows = await tx.rows(sql<{
    check_id: number
    entity: number
    record_id: string | null
    import_id: string | null
    tries: number
  }>`
    select check_id, entity, record_id, import_id, tries,
      (select set_config('synchronous_commit', 'off', true)) as commits
    from duplicate_check
    where org_id = ${tx.orgId} and (due_at is null or due_at <= now())
    order by check_id limit ${limit} for update skip locked`)
  return rows.map(({ check_id, entity, record_id, import_id, tries }) => ({
    checkId: check_id,
    entityType: entityTypeOf(entity),
    recordId: record_id,
    importId: import_id,
    tries,
  }))
}

/** Claims locked checks for this process for 30 seconds, and counts one more attempt. */
export async function claimChecks(tx: OrgTx, checks: readonly Check[]): Promise<Check[]> {
  if (checks.length === 0) return []
  await tx.run(sql`
    update duplicate_check set due_at = now() + interval '30 seconds', tries = tries + 1
    where org_id = ${tx.orgId} and check_id = any(${idsOf(checks)}::bigint[])`)
  return checks.map((check) => ({ ...check, tries: check.tries + 1 }))
}

const idsOf = (checks: readonly Check[]) => checks.map(({ checkId }) => checkId)

/** Deletes checks that are done. */
export async function deleteChecks(tx: OrgTx, checks: readonly Check[]): Promise<void> {
  if (checks.length === 0) return
  await tx.run(sql`
    delete from duplicate_check where org_id = ${tx.orgId} and check_id = any(${idsOf(checks)}::bigint[])`)
}

/** Makes checks due again after some seconds. */
export async function postponeChecks(tx: OrgTx, checks: readonly Check[], seconds: number): Promise<void> {
  await tx.run(sql`
    update duplicate_check set due_at = now() + ${seconds} * interval '1 second'
    where org_id = ${tx.orgId} and check_id = any(${idsOf(checks)}::bigint[])`)
}

/** The maximum count, which limits the cost of counting. */
export const countedMax = 10_000

/** Counts the waiting checks, up to `max`. */
export async function countChecks(scope: SystemScope, max = countedMax): Promise<number> {
  const [row] = await scope.readRows(sql<{ checks: number }>`
    select count(*)::int as checks from (select from duplicate_check limit ${rawSql(String(max))}) as found`)
  return row?.checks ?? 0
}
