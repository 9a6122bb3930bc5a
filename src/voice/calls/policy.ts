import type { Tx } from '../../platform/db/tx.ts'
import type { Provider } from '../credentials.ts'

/** What an org's calls are held to. */
export type Policy = {
  default_country: string | null
  provider: Provider
  allow_premium: boolean
  concurrent_call_cap: number
  calling_hours_start: string | null
  calling_hours_end: string | null
  subscription_status: 'active' | 'past_due' | 'canceled'
  included_minutes: number | null
}

/** One of the org's numbers. */
export type OwnNumber = { number: string; provider_ref: string | null }

const shownMost = 20

/** The settings, the subscription and the country of the org, in one statement: every call reads them. */
export async function readPolicy(tx: Tx, orgId: string): Promise<Policy> {
  const row = await tx.first<Policy>({
    text: `
      select o.default_country, coalesce(s.provider, 'simulator') as provider,
        coalesce(s.allow_premium, false) as allow_premium,
        coalesce(s.concurrent_call_cap, 10) as concurrent_call_cap, s.calling_hours_start, s.calling_hours_end,
        coalesce(b.status, 'active') as subscription_status, b.included_minutes
      from org o
      left join voice_settings s on s.org_id = o.org_id
      left join voice_subscription b on b.org_id = o.org_id
      where o.org_id = $1`,
    values: [orgId],
  })
  return row!
}

/** The org's number that is `number`, if one is given, and otherwise its latest ones, for a choice or a message. */
export function readNumbers(tx: Tx, orgId: string, number: string | null): Promise<OwnNumber[]> {
  if (number !== null)
    return tx.rows<OwnNumber>({
      text: 'select number, provider_ref from voice_number where org_id = $1 and number = $2',
      values: [orgId, number],
    })
  return tx.rows<OwnNumber>({
    text: `select number, provider_ref from voice_number where org_id = $1 order by number_id desc limit ${shownMost}`,
    values: [orgId],
  })
}
