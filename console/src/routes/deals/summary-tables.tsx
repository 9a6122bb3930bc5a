import type { CSSProperties } from 'react'
import type { CloseReasonSummary, DealStageSummary } from '../../../../sdk/src/generated/types.ts'
import { count, money } from '../../parts/numbers.ts'
import { dealsIn } from './amounts.ts'
import styles from './summary.module.css'

/** The open deals of each stage: their number as bars, and their sum in one currency. */
export function StageTable({
  stages,
  currency,
}: {
  stages: readonly DealStageSummary[]
  currency: string | null
}) {
  const highest = Math.max(1, ...stages.map(({ values }) => dealsIn(values)))
  return (
    <section aria-label="Open deals by stage">
      <h2>Open deals by stage</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col">Deals</th>
            {currency !== null && <th scope="col">In {currency}</th>}
          </tr>
        </thead>
        <tbody>
          {stages.map(({ stage, values }) => (
            <tr key={stage}>
              <th scope="row">{stage}</th>
              <Bar deals={dealsIn(values)} highest={highest} />
              {currency !== null && (
                <td>
                  {money(values.find((value) => value.currency === currency)?.amount_cents ?? '0', currency)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Why deals were won and lost in the period. */
export function ReasonTable({
  reasons,
  currency,
}: {
  reasons: readonly CloseReasonSummary[]
  currency: string | null
}) {
  const rows = reasons
    .flatMap(({ close_reason_id, label, won, lost }) =>
      (['lost', 'won'] as const).map((ending) => ({
        key: `${close_reason_id} ${ending}`,
        label: label ?? 'Without a reason',
        ending,
        values: ending === 'won' ? won : lost,
      })),
    )
    .filter(({ values }) => values.length > 0)
    .toSorted(
      (one, other) => one.ending.localeCompare(other.ending) || dealsIn(other.values) - dealsIn(one.values),
    )
  const highest = Math.max(1, ...rows.map(({ values }) => dealsIn(values)))
  return (
    <section aria-label="Close reasons">
      <h2>Close reasons</h2>
      {rows.length === 0 ? (
        <p className="two">No deal was closed in this period.</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Reason</th>
              <th scope="col">Deals</th>
              {currency !== null && <th scope="col">In {currency}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, label, ending, values }) => (
              <tr key={key}>
                <th scope="row">
                  {label} <span className="three">{ending}</span>
                </th>
                <Bar deals={dealsIn(values)} highest={highest} kind={ending} />
                {currency !== null && (
                  <td>
                    {money(
                      values.find((value) => value.currency === currency)?.amount_cents ?? '0',
                      currency,
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

const Bar = ({ deals, highest, kind }: { deals: number; highest: number; kind?: 'won' | 'lost' }) => (
  <td className={styles.bar} data-kind={kind} style={{ '--share': deals / highest } as CSSProperties}>
    {deals > 0 && <i aria-hidden="true" />}
    {count(deals)}
  </td>
)
