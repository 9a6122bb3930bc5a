import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import type { CallingHours } from '../calling-hours.ts'
import type { ProviderName } from '../credentials.ts'
import { defaultSettings } from '../settings.ts'
import { defaultSubscription } from '../subscription.ts'

/** The rules for an org's calls. */
export type CallPolicy = Columns<
  'voice_settings',
  | 'allow_premium'
  | 'concurrent_call_cap'
  | 'calling_hours_start'
  | 'calling_hours_end'
  | 'ai_disclosure'
  | 'ai_disclosure_text'
> & {
  default_country: string | null
  provider: ProviderName
  subscription_status: 'active' | 'past_due' | 'canceled'
  included_minutes: number | null
  /** The minutes of live calls that were placed this month and have ended. */
  minutes_used: number
  numbers: OwnNumber[]
}

export type OwnNumber = Columns<'voice_number', 'number' | 'provider_ref'>

const numbersMax = 20

/**
 * Reads settings, subscription, usage, country and numbers in one statement: every call needs all.
 * @param now Unix milliseconds
 */
export async function readPolicy(tx: OrgTx, now: number): Promise<CallPolicy> {
  const row = await tx.first(sql<CallPolicy>`
    select o.default_country, coalesce(s.provider, ${defaultSettings.provider}) as provider,
      coalesce(s.allow_premium, ${defaultSettings.allow_premium}) as allow_premium,
      coalesce(s.concurrent_call_cap, ${defaultSettings.concurrent_call_cap}) as concurrent_call_cap,
      s.calling_hours_start, s.calling_hours_end,
      coalesce(s.ai_disclosure, ${defaultSettings.ai_disclosure}) as ai_disclosure, s.ai_disclosure_text,
      coalesce(b.status, ${defaultSubscription.status}) as subscription_status, b.included_minutes,
      coalesce(u.minutes, 0) as minutes_used,
      (select coalesce(json_agg(json_build_object('number', number, 'provider_ref', provider_ref)), '[]') from (
        select number, provider_ref from voice_number where org_id = ${tx.orgId}
        order by number_id desc limit ${rawSql(String(numbersMax))}
      ) as latest) as numbers
    from org o
    left join voice_settings s on s.org_id = o.org_id
    left join voice_subscription b on b.org_id = o.org_id
    left join call_usage u on u.org_id = o.org_id and u.month = ${monthOf(now)} and u.mode = 'live'
    where o.org_id = ${tx.orgId}`)
  if (!row) throw new Error(`Organization ${tx.orgId} is missing`)
  return row
}

/** Returns the org's own number that equals `number`; undefined if there is none. */
export function readNumber(tx: OrgTx, number: string): Promise<OwnNumber | undefined> {
  return tx.first(sql<OwnNumber>`
    select number, provider_ref from voice_number where org_id = ${tx.orgId} and number = ${number}`)
}

/** The month (UTC) in which a call of this time is counted: YYYY-MM. */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7)

/** The calling hours of the org; null: calls are allowed at any time. */
export const hoursOf = ({
  calling_hours_start: start,
  calling_hours_end: end,
}: CallPolicy): CallingHours | null => (start !== null && end !== null ? { start, end } : null)
