import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { recordTypes } from '../entities.ts'
import type { MergePlan, PlannedMerge } from './plan.ts'

/**
 * If a limited member sees only one of two records, the returned plan proposes their merge instead of doing it. The merged
 * record has the data of both: the member could create a copy of a hidden record, and would see the hidden data.
 */
export async function proposeForLimited(
  tx: OrgTx,
  entityType: EntityType,
  { merges, proposals }: MergePlan,
): Promise<MergePlan> {
  if (merges.length === 0) return { merges, proposals }
  const ids = new Set(merges.flatMap(({ survivorId, loserId }) => [survivorId, loserId]))
  const viewers = await limitedViewers(tx, entityType, [...ids])
  const haveSameViewers = ({ survivorId, loserId }: PlannedMerge) =>
    viewers.get(survivorId) === viewers.get(loserId)
  return {
    merges: merges.filter(haveSameViewers),
    proposals: [...proposals, ...merges.filter((each) => !haveSameViewers(each))],
  }
}

/** Returns for each record a text that names the limited members who see it. */
async function limitedViewers(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Map<string, string>> {
  const [id, table] = [rawSql(recordTypes[entityType].idField), rawSql(entityType)]
  const rows = await tx.rows(sql<{ record_id: string; viewers: string }>`
    select r.${id} as record_id, (
      select coalesce(string_agg(h.member_id::text, ' ' order by h.member_id), '') from (
        select r.owner_id as member_id
        union
        select own.member_id from team_member other
          join team_member own on own.org_id = ${tx.orgId} and own.team_id = other.team_id
        where other.org_id = ${tx.orgId} and other.member_id = r.owner_id
      ) as near join membership h on h.org_id = ${tx.orgId} and h.member_id = near.member_id
      where h.record_access = 'team' or h.record_access = 'own' and h.member_id = r.owner_id
    ) as viewers
    from ${table} r where r.org_id = ${tx.orgId} and r.${id} = any(${recordIds}::uuid[])`)
  return new Map(rows.map(({ record_id, viewers }) => [record_id, viewers]))
}
