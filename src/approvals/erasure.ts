import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'

type Found = { effect_id: string; has_begun: boolean; names_them: boolean }

/**
 * Removes erased contacts from calls of tools that wait for a person. A call that names an erased contact is deleted,
 * because its effect has changed. If the call has begun, only its texts are cleared: a later call with the same
 * arguments must still count as a repetition.
 */
export async function eraseEffects(
  tx: OrgTx,
  contactIds: readonly string[],
  { emails, phones }: { emails: readonly string[]; phones: readonly string[] },
): Promise<void> {
  const names = [...contactIds, ...emails, ...phones].map((name) => name.toLowerCase())
  // Clear every sample: its people have no ids to search for, and some have no address.
  const found = await tx.rows(sql<Found>`
    select effect_id, begun_at is not null as has_begun, names_them
    from pending_effect, lateral (
      select exists (
        select from unnest(${names}::text[]) as name
        where strpos(lower(question || ' ' || facts::text), name) > 0) as names_them) named
    where org_id = ${tx.orgId} and (names_them or jsonb_exists(facts, 'sample'))
    order by effect_id for update of pending_effect`)
  if (found.length === 0) return
  const idsOf = (wanted: (each: Found) => boolean) => found.filter(wanted).map((each) => each.effect_id)
  const ended = idsOf((each) => each.names_them && !each.has_begun)
  const cleared = idsOf((each) => each.names_them && each.has_begun)
  await tx.run(sql`
    delete from pending_effect where org_id = ${tx.orgId} and effect_id = any (${ended}::uuid[])`)
  await tx.run(sql`
    update pending_effect
    set question = case when effect_id = any (${cleared}::uuid[]) then '' else question end,
      facts = case when effect_id = any (${cleared}::uuid[]) then '{}' else facts - 'sample' end
    where org_id = ${tx.orgId} and effect_id = any (${idsOf(() => true)}::uuid[])`)
}
