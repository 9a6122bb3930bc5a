import { recordEventsBy } from '../events/record.ts'
import type { Actor } from '../platform/actor.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'

/** More people than this are pushed only when that is confirmed, where nobody said otherwise. */
const usualThreshold = 500

/** The settings of an org. */
export async function readSettings(tx: OrgTx, orgId: string): Promise<{ threshold: number }> {
  const row = await tx.first<{ threshold: number }>({
    text: 'select threshold from crm_settings where org_id = $1',
    values: [orgId],
  })
  return row ?? { threshold: usualThreshold }
}

/** Changes what is given. It holds for jobs that are made from then on. */
export async function changeSettings(
  tx: OrgTx,
  actor: Actor,
  { threshold }: { threshold?: number | undefined },
): Promise<{ threshold: number }> {
  const { orgId } = actor
  const before = await readSettings(tx, orgId)
  if (threshold === undefined || threshold === before.threshold) return before
  await tx.run({
    text: `
      insert into crm_settings (org_id, threshold, updated_at) values ($1, $2, clock_timestamp())
      on conflict (org_id) do update set threshold = excluded.threshold, updated_at = excluded.updated_at`,
    values: [orgId, threshold],
  })
  await recordEventsBy(tx, actor, [{ type: 'crm_settings.updated', objectId: orgId, changed: ['threshold'] }])
  return { threshold }
}
