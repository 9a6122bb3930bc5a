import type { EntityType } from '../../matching/entity-type.ts'
import type { Actor } from '../../platform/actor.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'

export type Pair = readonly [string, string]

/** Saves a person's decision about pairs of records; it replaces an earlier one. */
export async function saveVerdict(
  tx: OrgTx,
  actor: Actor,
  entityType: EntityType,
  pairs: readonly Pair[],
  verdict: 'same' | 'different',
): Promise<void> {
  if (pairs.length === 0) return
  const ordered = pairs.map(([one, other]) => (one < other ? [one, other] : [other, one]))
  await tx.run({
    text: `
      insert into verdict (org_id, entity, first_id, second_id, verdict, decided_by)
      select $1, $2, p.first_id, p.second_id, $3, $4 from unnest($5::uuid[], $6::uuid[]) as p (first_id, second_id)
      on conflict (org_id, entity, first_id, second_id) do update
      set verdict = excluded.verdict, decided_at = excluded.decided_at, decided_by = excluded.decided_by`,
    values: [
      actor.orgId,
      entityType,
      verdict,
      actor.apiKeyId,
      ordered.map(([one]) => one),
      ordered.map(([, other]) => other),
    ],
  })
}

/** Deletes the verdict about two records. */
export async function deleteVerdict(
  tx: OrgTx,
  orgId: string,
  entityType: EntityType,
  [one, other]: Pair,
): Promise<void> {
  await tx.run({
    text: `
      delete from verdict
      where org_id = $1 and entity = $2 and first_id = least($3::uuid, $4::uuid) and second_id = greatest($3::uuid, $4::uuid)`,
    values: [orgId, entityType, one, other],
  })
}

/** The pairs among `recordIds` with the verdict `different`. */
export async function differentPairs(
  tx: OrgTx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Pair[]> {
  const rows = await tx.rows<{ first_id: string; second_id: string }>({
    text: `
      select first_id, second_id from verdict
      where org_id = $1 and entity = $2 and verdict = 'different'
        and first_id = any($3::uuid[]) and second_id = any($3::uuid[])`,
    values: [orgId, entityType, recordIds],
  })
  return rows.map(({ first_id, second_id }) => [first_id, second_id])
}
