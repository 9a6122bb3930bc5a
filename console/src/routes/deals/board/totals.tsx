import type { DealSummary } from '../../../../../sdk/src/generated/types.ts'
import { moreCurrencies, sumTexts, totalOf } from '../amounts.ts'
import styles from './board.module.css'

/** The sums of all open deals, and of the deals that were won in this month. */
export function Totals({ summary: { open, months }, main }: { summary: DealSummary; main: string | null }) {
  const sums = sumTexts(totalOf(open.map(({ values }) => values)), main)
  const won = sumTexts(months.at(-1)?.won ?? [], main)
  return (
    <span className={styles.totals}>
      {sums.length > 0 && (
        <span title={sums.join(', ')}>
          Open <b className="strong">{sums[0]}</b>
          {[sums[1], moreCurrencies(sums.length - 2)].filter(Boolean).map((text) => ` · ${text}`)}
        </span>
      )}
      {won.length > 0 && (
        <span title={won.join(', ')}>
          Won this month <b className={styles.good}>{won[0]}</b>
          {won.length > 1 && ` · ${moreCurrencies(won.length - 1)}`}
        </span>
      )}
    </span>
  )
}
