import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { count } from '../../parts/numbers.ts'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { type ReportPeriod, rangeOf } from './period.ts'

export type ReportName = 'pages' | 'referrers' | 'campaigns' | 'sources' | 'events' | 'forms'

const rowsMax = 10

/** The highest numbers of one report, each with a bar. */
export function ReportList({
  name,
  title,
  none,
  period,
}: {
  name: ReportName
  title: string
  none: string
  period: ReportPeriod
}) {
  const { orgId, api } = useScope()
  const report = useQuery({
    queryKey: ['report', orgId, name, period],
    queryFn: ({ signal }) => api.tracking.reports[name]({ ...rangeOf(period), limit: rowsMax }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  return (
    <section aria-label={title}>
      <div className="rail base">
        <h2>{title}</h2>
        {report.data && report.data.total > 0 && (
          <span className="t12 three end">
            {count(report.data.total)}{' '}
            {report.data.total === 1 ? report.data.counted.replace(/s$/, '') : report.data.counted}
          </span>
        )}
      </div>
      <Loaded query={report}>
        {({ rows, other }) =>
          rows.length === 0 ? (
            <p className="three">{none}</p>
          ) : (
            <ol className={styles.rows}>
              {rows.map(({ key, n }) => (
                <BarRow key={key} name={key} n={n} most={rows[0]?.n ?? n} />
              ))}
              {other > 0 && (
                <li className={styles.row}>
                  <span className="three">All others</span>
                  <span className="num three">{count(other)}</span>
                </li>
              )}
            </ol>
          )
        }
      </Loaded>
    </section>
  )
}

/** @param most the number of the longest bar */
export const BarRow = ({
  name,
  n,
  most,
  about,
}: {
  name: string
  n: number
  most: number
  about?: string
}) => (
  <li className={styles.row}>
    <i style={{ width: `${(100 * n) / Math.max(1, most)}%` }} />
    <span className="cut" title={name}>
      {name}
    </span>
    <span className="num">
      {about && <span className="two t12">{about} </span>}
      {count(n)}
    </span>
  </li>
)
