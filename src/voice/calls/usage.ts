import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { type CallMode, type CallRow, countSlots } from './calls.ts'
import { monthOf, readPolicy } from './policy.ts'
import type { Usage } from './schema.ts'

type Counts = Usage['months'][number]['live']
type MonthRow = { month: string; mode: CallMode }
type CountedCall = Pick<CallRow, 'mode' | 'created_ms'>

const noUsage: Counts = { calls: 0, answered: 0, seconds: 0, minutes: 0 }

/** Counts an ended call in the month in which it was placed. */
export const countEnded = (tx: OrgTx, call: CountedCall, seconds: number): Promise<void> =>
  addUsage(tx, call, { calls: 1, ...usageOfSeconds(seconds) })

/** Adds a duration that was reported after the ended call was counted. */
export const countDuration = (tx: OrgTx, call: CountedCall, seconds: number): Promise<void> =>
  addUsage(tx, call, { calls: 0, ...usageOfSeconds(seconds) })

const usageOfSeconds = (seconds: number) => ({
  answered: seconds > 0 ? 1 : 0,
  seconds,
  minutes: Math.ceil(seconds / 60),
})

async function addUsage(
  tx: OrgTx,
  { mode, created_ms: createdMs }: CountedCall,
  { calls, answered, seconds, minutes }: Counts,
): Promise<void> {
  await tx.run(sql`
    insert into call_usage as u (org_id, month, mode, calls, answered, seconds, minutes)
    values (${tx.orgId}, ${monthOf(createdMs)}, ${mode}, ${calls}, ${answered}, ${seconds}, ${minutes})
    on conflict (org_id, month, mode) do update set calls = u.calls + excluded.calls,
      answered = u.answered + excluded.answered, seconds = u.seconds + excluded.seconds,
      minutes = u.minutes + excluded.minutes`)
}

/** Returns the org's calls by month, and the number of running calls. */
export async function readUsage(tx: OrgTx): Promise<Usage> {
  const [ended, open, policy, taken] = await Promise.all([
    tx.rows(sql<MonthRow & Counts>`
      select month, mode, calls, answered, seconds, minutes from call_usage where org_id = ${tx.orgId}`),
    // Calls that count against the cap have not ended, and an index finds those.
    tx.rows(sql<MonthRow & { calls: number }>`
      select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, mode, count(*)::int as calls
      from call where org_id = ${tx.orgId} and slot_until is not null group by 1, 2`),
    readPolicy(tx, Date.now()),
    countSlots(tx, 'live'),
  ])
  const months = [...new Set([...ended, ...open].map(({ month }) => month))].sort().reverse()
  const countsOf = (month: string, mode: CallMode): Counts => {
    const isSame = (row: MonthRow) => row.month === month && row.mode === mode
    const { calls, answered, seconds, minutes } = ended.find(isSame) ?? noUsage
    return { calls: calls + (open.find(isSame)?.calls ?? 0), answered, seconds, minutes }
  }
  return {
    months: months.map((month) => ({ month, live: countsOf(month, 'live'), test: countsOf(month, 'test') })),
    included_minutes: policy.included_minutes,
    concurrent_calls: taken,
    concurrent_call_cap: policy.concurrent_call_cap,
  }
}
