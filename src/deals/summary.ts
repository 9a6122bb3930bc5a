import { listReasons } from '../close-reasons/close-reasons.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { Summary, SummaryQuery } from './schema.ts'
import { readStages } from './stages.ts'

const monthsMax = 120

/** The first and the last month of a summary, in UTC, as `YYYY-MM`. */
type Months = { from: string; to: string }

type Row = {
  /**
   * The group that the row counts: the deals of one stage, month or close reason. `of` is the name or id of that group;
   * null: the deals have no reason.
   */
  by: 'stage' | 'month' | 'reason'
  of: string | null
  deal_status: 'open' | 'won' | 'lost'
  currency: string | null
  deals: number
  /** Decimal digits, because a bigint sum may exceed 2^53. */
  amount: string
}

const totals = sql`deal_status, currency, sum(deals)::bigint as deals, sum(amount_cents)::text as amount`

/**
 * Adds the changes since the last stored totals to these totals. The result is exact, and its cost does not depend on
 * the number of deals.
 */
const sums = (orgId: string, { from, to }: Months) =>
  sumsOf(sql`
    select deal_status, stage, month, close_reason_id, currency, deals, amount_cents from deal_total
    where org_id = ${orgId} and (deal_status = 'open' or month between ${from} and ${to})
    union all
    select deal_status, stage, month, close_reason_id, currency, deals, amount_cents from deal_delta
    where org_id = ${orgId} and (deal_status = 'open' or month between ${from} and ${to})`)

/** The sums of the deals that a limited member sees. The stored totals count all deals. */
const seenSums = (orgId: string, { from, to }: Months) =>
  sumsOf(sql`
    select deal_status, stage, month, close_reason_id, currency, 1 as deals, coalesce(amount_cents, 0) as amount_cents
    from (
      select d.deal_status, app.stage_counted(d.deal_status, d.stage) as stage, app.month_counted(d.closed_at) as month,
        d.close_reason_id, d.currency, d.amount_cents
      from deal d
      where d.org_id = ${orgId} and d.status = 'active' and d.owner_id = any((select app.seen_owners())::uuid[])
    ) as seen
    where deal_status = 'open' or month between ${from} and ${to}`)

const sumsOf = (counted: Sql) => sql<Row>`
  with counted as (${counted})
  select * from (
    select 'stage' as by, stage as of, ${totals} from counted where deal_status = 'open'
    group by stage, deal_status, currency
    union all
    select 'month', month, ${totals} from counted where deal_status <> 'open'
    group by month, deal_status, currency
    union all
    select 'reason', close_reason_id::text, ${totals} from counted where deal_status <> 'open'
    group by close_reason_id, deal_status, currency
  ) as sums
  where deals > 0 order by currency nulls last`

/** Open deals by stage, closed ones by month and by reason. */
export async function summarizeDeals(tx: OrgTx, { from, to }: Months): Promise<Summary> {
  const [rows, { stages }, reasons] = await Promise.all([
    tx.rows((tx.actor.recordAccess ? seenSums : sums)(tx.orgId, { from, to })),
    readStages(tx),
    listReasons(tx, { archived: 'all' }),
  ])
  const grouped = Map.groupBy(rows, ({ by, of, deal_status }) => [by, of, deal_status].join(' '))
  const values = (by: Row['by'], of: string | null, status: Row['deal_status']) =>
    (grouped.get([by, of, status].join(' ')) ?? []).map(({ currency, deals, amount }) => ({
      currency,
      deals,
      amount_cents: amount,
    }))
  const ended = (by: Row['by'], of: string | null) => ({
    won: values(by, of, 'won'),
    lost: values(by, of, 'lost'),
  })
  const namesOf = (by: Row['by']) => rows.flatMap((row) => (row.by === by && row.of !== null ? row.of : []))
  const withDeals = new Set(rows.flatMap(({ by, of }) => (by === 'reason' ? [of] : [])))
  const noReason = { close_reason_id: null, label: null }
  return {
    from,
    to,
    open: [...new Set([...stages, ...namesOf('stage')])].map((stage) => ({
      stage,
      values: values('stage', stage, 'open'),
    })),
    months: monthsOf({ from, to }).map((month) => ({ month, ...ended('month', month) })),
    close_reasons: [...reasons, noReason]
      .filter(({ close_reason_id: id }) => withDeals.has(id))
      .map(({ close_reason_id, label }) => ({ close_reason_id, label, ...ended('reason', close_reason_id) })),
  }
}

/**
 * By default, the twelve months up to the current one.
 * @throws ValidationError at `from`, if it is after `to` or the period has more than 120 months
 */
export function periodOf({ from, to }: SummaryQuery, now: Date): Months {
  const last = to ?? now.toISOString().slice(0, 7)
  const months = { from: from ?? monthAt(Math.max(numberOf(last) - 11, 0)), to: last }
  const count = numberOf(months.to) - numberOf(months.from) + 1
  if (count >= 1 && count <= monthsMax) return months
  const why = refuse(`\`from\` must not be after \`to\`, and the period may have at most ${monthsMax} months`)
  throw new ValidationError([detailAt(['query', 'from'], why)])
}

/** All months from `from` to `to`, including both. */
function monthsOf({ from, to }: Months): string[] {
  const [first, last] = [numberOf(from), numberOf(to)]
  return Array.from({ length: last - first + 1 }, (_, index) => monthAt(first + index))
}

/** The number of months since the year 0. */
const numberOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1

const monthAt = (number: number) =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
