import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { DealValue, DealSummary as Summary } from '../../../../sdk/src/generated/types.ts'
import { Empty } from '../../parts/empty.tsx'
import fieldStyles from '../../parts/field.module.css'
import { Figures } from '../../parts/figures.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { monthBefore, monthName } from '../../parts/months.ts'
import { count, decimalOf, money, percent, wholeMoney } from '../../parts/numbers.ts'
import { OldData } from '../../parts/old-data.tsx'
import { PeriodChoice } from '../../parts/period-choice.tsx'
import { Plot } from '../../parts/plot.tsx'
import { summaryQuery } from '../../records/deals/queries.ts'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { dealsIn, inOrder, mainCurrencyOf, totalOf } from './amounts.ts'
import { NewDealButton } from './new-deal-button.tsx'
import styles from './summary.module.css'
import { ReasonTable, StageTable } from './summary-tables.tsx'
import { ViewSwitch } from './view-switch.tsx'

const periods = [
  ['3', '3 months'],
  ['12', '12 months'],
  ['36', '3 years'],
] as const

/** All deals in figures: what is open in each stage, and what was won and lost in each month and for which reason. */
export function DealSummary() {
  const scope = useScope()
  const { months = '12' } = useSearch('/o/$orgId/deals')
  const navigate = useNavigate('/o/$orgId/deals')
  const summary = useQuery({
    ...summaryQuery(scope, { from: monthBefore(Number(months) - 1) }),
    refetchInterval: 15_000,
  })
  return (
    <Page
      name="Deals"
      part="Summary"
      acts={
        <>
          <ViewSwitch />
          <NewDealButton onDone={() => void summary.refetch()} />
        </>
      }
    >
      <Loaded query={summary}>
        {(data) => (
          <div className={styles.page}>
            <OldData query={summary} name="summary" seconds={15} />
            <Figured
              summary={data}
              period={
                <PeriodChoice
                  value={months}
                  options={periods}
                  query={summary}
                  onChange={(next) =>
                    void navigate({
                      search: (all) => ({ ...all, months: next === '12' ? undefined : next }),
                      replace: true,
                    })
                  }
                />
              }
            />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const valuesIn = (values: readonly DealValue[], currency: string) =>
  values.find((value) => value.currency === currency)

function Figured({ summary, period }: { summary: Summary; period: ReactNode }) {
  const { open, months } = summary
  const main = mainCurrencyOf(summary)
  const [chosen, setCurrency] = useState<string | null>(null)
  const won = totalOf(months.map((month) => month.won))
  const lost = totalOf(months.map((month) => month.lost))
  const stillOpen = totalOf(open.map(({ values }) => values))
  const [wonDeals, lostDeals] = [dealsIn(won), dealsIn(lost)]
  const currencies = inOrder(totalOf([won, lost, stillOpen]), main).flatMap(({ currency }) => currency ?? [])
  const currency = chosen !== null && currencies.includes(chosen) ? chosen : main
  if (wonDeals + lostDeals + dealsIn(stillOpen) === 0)
    return (
      <>
        <div className={styles.choices}>{period}</div>
        <div className="pad" style={{ padding: 0 }}>
          <Empty icon="usage" title="There are no figures yet">
            <p className="two">No deal is open, and none was closed in this period.</p>
          </Empty>
        </div>
      </>
    )
  const sum = (values: readonly DealValue[]) =>
    currency === null ? '–' : money(valuesIn(values, currency)?.amount_cents ?? '0', currency)
  const dealWords = (n: number) => `${count(n)} ${n === 1 ? 'deal' : 'deals'}`
  const others = (values: readonly DealValue[]) => {
    const inCurrency = currency === null ? 0 : (valuesIn(values, currency)?.deals ?? 0)
    const all = dealsIn(values)
    return all === inCurrency ? dealWords(all) : `${dealWords(inCurrency)} of ${count(all)}`
  }
  return (
    <>
      <div className={styles.choices}>
        {period}
        {currencies.length > 1 && currency !== null && (
          <select
            className={fieldStyles.input}
            aria-label="Currency"
            value={currency}
            onChange={(event) => setCurrency(event.target.value)}
          >
            {currencies.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </div>
      <Figures
        figures={[
          { name: 'Open', value: sum(stillOpen), about: others(stillOpen) },
          { name: 'Won', value: sum(won), about: others(won) },
          { name: 'Lost', value: sum(lost), about: others(lost) },
          {
            name: 'Share of won deals',
            value: wonDeals + lostDeals === 0 ? '–' : percent(wonDeals / (wonDeals + lostDeals)),
            about: `of ${dealWords(wonDeals + lostDeals)} closed, in all currencies`,
          },
        ]}
      />
      <div className={styles.plots}>
        {currency !== null && (
          <section aria-label={`Won, in ${currency}`}>
            <h2>Won, in {currency}</h2>
            <Plot
              name={`Amount won by month, in ${currency}`}
              series={[{ name: 'won', kind: 'main' }]}
              format={(value) => wholeMoney(value, currency)}
              bars={months.map((month, index) => ({
                key: index,
                label: monthName(month.month, 'short'),
                values: [Number(decimalOf(valuesIn(month.won, currency)?.amount_cents ?? '0', currency))],
              }))}
            />
          </section>
        )}
        <section aria-label="Closed deals">
          <h2>Closed deals</h2>
          <Plot
            name="Won and lost deals by month"
            series={[
              { name: 'won', kind: 'main' },
              { name: 'lost', kind: 'bad' },
            ]}
            bars={months.map((month, index) => ({
              key: index,
              label: monthName(month.month, 'short'),
              values: [dealsIn(month.won), dealsIn(month.lost)],
            }))}
          />
        </section>
        <StageTable stages={open} currency={currency} />
        <ReasonTable reasons={summary.close_reasons} currency={currency} />
      </div>
      <p className="t12 three">Months begin at midnight UTC.</p>
    </>
  )
}
