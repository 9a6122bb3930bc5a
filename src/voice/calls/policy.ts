import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Provider } from '../credentials.ts'
import { shipped } from '../settings.ts'
import { usualSubscription } from '../subscription.ts'

/** What an org's calls are held to. */
export type Policy = {
  default_country: string | null
  provider: Provider
  allow_premium: boolean
  concurrent_call_cap: number
  calling_hours_start: string | null
  calling_hours_end: string | null
  ai_disclosure: boolean
  ai_disclosure_text: string | null
  subscription_status: 'active' | 'past_due' | 'canceled'
  included_minutes: number | null
  /** Minutes of live calls of the present month that have ended. */
  minutes_used: number
  /** The latest ones. */
  numbers: OwnNumber[]
}

/** One of the org's numbers. */
export type OwnNumber = { number: string; provider_ref: string | null }

const shownMost = 20

/**
 * The settings, the subscription with what was used of it, the country and the latest numbers of the org, in one statement:
 * every call reads them.
 * @param now Unix milliseconds
 */
export async function readPolicy(tx: OrgTx, orgId: string, now: number): Promise<Policy> {
  const row = await tx.first<Policy>({
    text: `
      select o.default_country, coalesce(s.provider, '${shipped.provider}') as provider,
        coalesce(s.allow_premium, ${shipped.allow_premium}) as allow_premium,
        coalesce(s.concurrent_call_cap, ${shipped.concurrent_call_cap}) as concurrent_call_cap, s.calling_hours_start, s.calling_hours_end,
        coalesce(s.ai_disclosure, ${shipped.ai_disclosure}) as ai_disclosure, s.ai_disclosure_text,
        coalesce(b.status, '${usualSubscription.status}') as subscription_status, b.included_minutes,
        coalesce(u.minutes, 0) as minutes_used,
        (select coalesce(json_agg(json_build_object('number', number, 'provider_ref', provider_ref)), '[]') from (
          select number, provider_ref from voice_number where org_id = $1 order by number_id desc limit ${shownMost}
        ) as latest) as numbers
      from org o
      left join voice_settings s on s.org_id = o.org_id
      left join voice_subscription b on b.org_id = o.org_id
      left join call_usage u on u.org_id = o.org_id and u.month = $2 and u.mode = 'live'
      where o.org_id = $1`,
    values: [orgId, monthOf(now)],
  })
  return row!
}

/** The org's number that is `number`; undefined if it has none. */
export function readNumber(tx: OrgTx, orgId: string, number: string): Promise<OwnNumber | undefined> {
  return tx.first<OwnNumber>({
    text: 'select number, provider_ref from voice_number where org_id = $1 and number = $2',
    values: [orgId, number],
  })
}

/** The month (UTC) in which a call of this time is counted: YYYY-MM. */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7)
