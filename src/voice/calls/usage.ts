import type { OrgTx } from '../../platform/db/org-tx.ts'
import { countSlots } from './calls.ts'
import { monthOf, readPolicy } from './policy.ts'
import type { Usage } from './schema.ts'

type Counts = Usage['months'][number]['live']
type Row = Counts & { month: string; mode: 'live' | 'test' }

const none: Counts = { calls: 0, answered: 0, seconds: 0, minutes: 0 }

/** Counts a call that has ended, in the month in which it was placed. */
export async function countEnded(
  tx: OrgTx,
  orgId: string,
  call: { mode: 'live' | 'test'; createdMs: number },
  seconds: number,
): Promise<void> {
  await add(tx, orgId, call, { calls: 1, ...talked(seconds) })
}

/** Counts what a call that has ended turns out to have been talked. */
export async function countTalked(
  tx: OrgTx,
  orgId: string,
  call: { mode: 'live' | 'test'; createdMs: number },
  seconds: number,
): Promise<void> {
  await add(tx, orgId, call, { calls: 0, ...talked(seconds) })
}

const talked = (seconds: number) => ({
  ...{ answered: seconds > 0 ? 1 : 0, seconds, minutes: Math.ceil(seconds / 60) },
})

async function add(
  tx: OrgTx,
  orgId: string,
  { mode, createdMs }: { mode: 'live' | 'test'; createdMs: number },
  { calls, answered, seconds, minutes }: Counts,
): Promise<void> {
  await tx.run({
    text: `
      insert into call_usage as u (org_id, month, mode, calls, answered, seconds, minutes)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (org_id, month, mode) do update set calls = u.calls + excluded.calls,
        answered = u.answered + excluded.answered, seconds = u.seconds + excluded.seconds,
        minutes = u.minutes + excluded.minutes`,
    values: [orgId, monthOf(createdMs), mode, calls, answered, seconds, minutes],
  })
}

/** What the org has called, by month, and what is under way. */
export async function readUsage(tx: OrgTx, orgId: string): Promise<Usage> {
  const [ended, open, policy, taken] = await Promise.all([
    tx.rows<Row>({
      text: 'select month, mode, calls, answered, seconds, minutes from call_usage where org_id = $1',
      values: [orgId],
    }),
    // What has a slot has not ended; of that there is an index.
    tx.rows<{ month: string; mode: 'live' | 'test'; calls: number }>({
      text: `
        select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, mode, count(*)::int as calls
        from call where org_id = $1 and slot_until is not null group by 1, 2`,
      values: [orgId],
    }),
    readPolicy(tx, orgId, Date.now()),
    countSlots(tx, orgId, 'live'),
  ])
  const months = [...new Set([...ended, ...open].map(({ month }) => month))].sort().reverse()
  const countsOf = (month: string, mode: 'live' | 'test'): Counts => {
    const isSame = (row: { month: string; mode: string }) => row.month === month && row.mode === mode
    const { calls, answered, seconds, minutes } = ended.find(isSame) ?? none
    return { calls: calls + (open.find(isSame)?.calls ?? 0), answered, seconds, minutes }
  }
  return {
    months: months.map((month) => ({ month, live: countsOf(month, 'live'), test: countsOf(month, 'test') })),
    included_minutes: policy.included_minutes,
    concurrent_calls: taken,
    concurrent_call_cap: policy.concurrent_call_cap,
  }
}
