import { recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { VoiceSettings } from './schema.ts'

export type Subscription = VoiceSettings['subscription']

/** What a new org has: it may call, without a limit of minutes. */
export const usualSubscription: Subscription = { status: 'active', included_minutes: null }

/** The subscription of an org. */
export async function readSubscription(tx: Tx, orgId: string): Promise<Subscription> {
  const row = await tx.first<Subscription>({
    text: 'select status, included_minutes from voice_subscription where org_id = $1',
    values: [orgId],
  })
  return row ?? usualSubscription
}

/** Sets what is given, as the operator or billing does: in a transaction of the system role. */
export async function setSubscription(
  tx: Tx,
  orgId: string,
  input: Partial<Subscription>,
): Promise<Subscription> {
  await tx.run({
    text: 'insert into voice_subscription (org_id) values ($1) on conflict (org_id) do nothing',
    values: [orgId],
  })
  const before = await tx.first<Subscription>({
    text: 'select status, included_minutes from voice_subscription where org_id = $1 for no key update',
    values: [orgId],
  })
  const after = { ...before!, ...input }
  const changed = (['status', 'included_minutes'] as const).filter((field) => after[field] !== before![field])
  if (changed.length === 0) return after
  await tx.run({
    text: `
      update voice_subscription set status = $2, included_minutes = $3, updated_at = clock_timestamp()
      where org_id = $1`,
    values: [orgId, after.status, after.included_minutes],
  })
  await recordEvents(tx, { orgId, mode: 'live', apiKeyId: null }, [
    { type: 'voice_subscription.updated', objectId: orgId, changed },
  ])
  return after
}
