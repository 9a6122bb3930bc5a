import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { VoiceSettings } from './schema.ts'

export type Subscription = VoiceSettings['subscription']

/** The subscription of a new org: calls without a limit of minutes. */
export const defaultSubscription: Subscription = { status: 'active', included_minutes: null }

/** The subscription of the organization; the default one if none is stored. */
export async function readSubscription(tx: OrgTx): Promise<Subscription> {
  const row = await tx.first(sql<Subscription>`
    select status, included_minutes from voice_subscription where org_id = ${tx.orgId}`)
  return row ?? defaultSubscription
}

/** Changes the given fields, for the operator or billing, in a transaction of the system role. */
export async function setSubscription(tx: OrgTx, input: Partial<Subscription>): Promise<Subscription> {
  await tx.run(sql`
    insert into voice_subscription (org_id) values (${tx.orgId}) on conflict (org_id) do nothing`)
  const [before] = await tx.rows(sql<Subscription>`
    select status, included_minutes from voice_subscription where org_id = ${tx.orgId} for no key update`)
  if (!before) throw new Error('The subscription that was just created is missing')
  const after = { ...before, ...input }
  const changed = (['status', 'included_minutes'] as const).filter((field) => after[field] !== before[field])
  if (changed.length === 0) return after
  await tx.run(sql`
    update voice_subscription
    set status = ${after.status}, included_minutes = ${after.included_minutes}, updated_at = clock_timestamp()
    where org_id = ${tx.orgId}`)
  await recordEvents(tx, [{ type: 'voice_subscription.updated', objectId: tx.orgId, changed }])
  return after
}
