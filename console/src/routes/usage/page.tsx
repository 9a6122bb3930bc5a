import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { count } from '../../parts/numbers.ts'
import { PeriodChoice } from '../../parts/period-choice.tsx'
import { Plot } from '../../parts/plot.tsx'
import { dayOf, firstOf, hourOf } from '../../parts/times.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import type { UsagePeriod } from './period.ts'
import { plotsOf, sumOf, type UsagePlot } from './plots.ts'

const periods = [
  ['day', '24 hours'],
  ['week', '7 days'],
  ['month', '30 days'],
] as const

const lengths: Record<UsagePeriod, { bars: number; step: 'hour' | 'day' }> = {
  day: { bars: 24, step: 'hour' },
  week: { bars: 7 * 24, step: 'hour' },
  month: { bars: 30, step: 'day' },
}

/** The usage of the organization, by hour or by day. */
export function UsagePage() {
  const { orgId, mode, api, membership } = useScope()
  const { period = 'day' } = useSearch('/o/$orgId/usage')
  const navigate = useNavigate('/o/$orgId/usage')
  const usage = useQuery({
    queryKey: ['usage', orgId, mode, period],
    queryFn: async ({ signal }) => {
      const { bars, step } = lengths[period]
      const from = firstOf(bars, step === 'hour' ? 3_600 : 86_400)
      const to = Math.floor(Date.now() / 1000) + 1
      return { step, ...(await api.usage.get({ from, to, step }, { signal })) }
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  return (
    <Page
      name="Usage"
      acts={
        <PeriodChoice
          value={period}
          options={periods}
          query={usage}
          onChange={(next) => void navigate({ search: (all) => ({ ...all, period: next }), replace: true })}
        />
      }
    >
      <Loaded query={usage}>
        {(data) => {
          const [requests, ...others] = plotsOf(data, membership.is_agency)
          const isHourly = data.step === 'hour'
          return (
            <>
              {requests && <UsageSection plot={requests} isHourly={isHourly} height={200} isWide />}
              <div className={styles.grid}>
                {others.map((plot) => (
                  <UsageSection key={plot.title} plot={plot} isHourly={isHourly} height={96} />
                ))}
              </div>
              {!isHourly && <p className="pad t12 three">Days begin at midnight UTC.</p>}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function UsageSection({
  plot: { title, about, series, total, link },
  isHourly,
  height,
  isWide = false,
}: {
  plot: UsagePlot
  isHourly: boolean
  height: number
  isWide?: boolean
}) {
  const { orgId, can } = useScope()
  const sums = series.map(({ points }) => sumOf(points))
  const refused = series.length > 1 ? (sums[1] ?? 0) : 0
  const first = series[0]?.points ?? []
  return (
    <section aria-label={title} className={styles.plot} data-wide={isWide || undefined}>
      <div className="stack g0">
        <div className="rail base">
          <h2>{title}</h2>
          {link && can(link.permission) && (
            <Link className="link t12 end" to={`/o/$orgId${link.path}` as '/o/$orgId'} params={{ orgId }}>
              {link.name}
            </Link>
          )}
        </div>
        <p className="rail base">
          <span className="t26 strong">{count(total ?? sums.reduce((all, one) => all + one, 0))}</span>
          {refused > 0 && (
            <span className="bad">
              {count(refused)} {series[1]?.name}
            </span>
          )}
        </p>
        <p className="t12 three">{about}</p>
      </div>
      <Plot
        name={isHourly ? `${title} by hour` : `${title} by day`}
        series={series}
        height={height}
        bars={first.map(([at = 0], index) => ({
          key: at,
          label: isHourly ? hourOf(at) : dayOf(at),
          values: series.map(({ points }) => points[index]?.[1] ?? 0),
        }))}
      />
    </section>
  )
}
