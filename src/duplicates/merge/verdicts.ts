import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'

export type Pair = readonly [string, string]

/** Saves a verdict in place of earlier verdicts about the pairs. */
export async function saveVerdict(
  tx: OrgTx,
  entityType: EntityType,
  pairs: readonly Pair[],
  verdict: 'same' | 'different',
): Promise<void> {
  if (pairs.length === 0) return
  const ordered = pairs.map(([one, other]) => (one < other ? [one, other] : [other, one]))
  const [firstIds, secondIds] = [ordered.map(([one]) => one), ordered.map(([, other]) => other)]
  await tx.run(sql`
    insert into verdict (org_id, entity, first_id, second_id, verdict, decided_by)
    select ${tx.orgId}, ${entityType}, p.first_id, p.second_id, ${verdict}, ${tx.actor.apiKeyId ?? tx.actor.memberId}
    from unnest(${firstIds}::uuid[], ${secondIds}::uuid[]) as p (first_id, second_id)
    on conflict (org_id, entity, first_id, second_id) do update
    set verdict = excluded.verdict, decided_at = excluded.decided_at, decided_by = excluded.decided_by`)
}

/** Deletes the verdict about a pair, if there is one. */
export async function deleteVerdict(tx: OrgTx, entityType: EntityType, [one, other]: Pair): Promise<void> {
  await tx.run(sql`
    delete from verdict
    where org_id = ${tx.orgId} and entity = ${entityType}
      and first_id = least(${one}::uuid, ${other}::uuid) and second_id = greatest(${one}::uuid, ${other}::uuid)`)
}

/** Returns the pairs among these records that a person called different. */
export async function differentPairs(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Pair[]> {
  const rows = await tx.rows(sql<{ first_id: string; second_id: string }>`
    select first_id, second_id from verdict
    where org_id = ${tx.orgId} and entity = ${entityType} and verdict = 'different'
      and first_id = any(${recordIds}::uuid[]) and second_id = any(${recordIds}::uuid[])`)
  return rows.map(({ first_id, second_id }) => [first_id, second_id])
}
