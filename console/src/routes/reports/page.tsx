import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TrackingOverview } from '../../../../sdk/src/generated/types.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Figures } from '../../parts/figures.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { count } from '../../parts/numbers.ts'
import { PeriodChoice } from '../../parts/period-choice.tsx'
import { Plot } from '../../parts/plot.tsx'
import { dayOf, hourOf } from '../../parts/times.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { FunnelSection } from './funnel.tsx'
import styles from './page.module.css'
import { periods, type ReportPeriod, rangeOf } from './period.ts'
import { ReportList, type ReportName } from './report-list.tsx'

const lists: readonly { name: ReportName; title: string; none: string }[] = [
  { name: 'pages', title: 'Pages', none: 'No page was viewed.' },
  { name: 'referrers', title: 'Referring sites', none: 'Nobody came from another site.' },
  { name: 'campaigns', title: 'Campaigns', none: 'No visit has a utm_campaign.' },
  { name: 'sources', title: 'Sources', none: 'No visit has a utm_source.' },
  { name: 'events', title: 'Events', none: 'No track event was sent.' },
  { name: 'forms', title: 'Forms', none: 'No form was submitted.' },
]

/** How much the website was visited. The period is in the address. */
export function ReportsPage() {
  const { orgId, api } = useScope()
  const { period = 'week' } = useSearch('/o/$orgId/reports')
  const navigate = useNavigate('/o/$orgId/reports')
  const overview = useQuery({
    queryKey: ['report-overview', orgId, period],
    queryFn: async ({ signal }) => ({
      period,
      ...(await api.tracking.reports.overview(rangeOf(period), { signal })),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  return (
    <Page
      name="Reports"
      acts={
        <PeriodChoice
          value={period}
          options={periods}
          query={overview}
          onChange={(next) => void navigate({ search: (all) => ({ ...all, period: next }), replace: true })}
        />
      }
    >
      <Loaded query={overview}>
        {(data) =>
          data.totals.events === 0 ? (
            <NoEvents period={data.period} />
          ) : (
            <>
              <Overview overview={data} period={data.period} />
              <div className={styles.grid}>
                {lists.map((list) => (
                  <ReportList key={list.name} {...list} period={period} />
                ))}
              </div>
            </>
          )
        }
      </Loaded>
      <FunnelSection period={period} isHidden={!overview.data?.totals.events} />
    </Page>
  )
}

function Overview({
  overview: { totals, series },
  period,
}: {
  overview: TrackingOverview
  period: ReportPeriod
}) {
  const isHourly = rangeOf(period).step === 'hour'
  const words = { visitors: 'Visitors', views: 'Page views', sessions: 'Sessions', events: 'Events' } as const
  const names = ['visitors', 'views', 'sessions', 'events'] as const
  return (
    <section aria-label="Overview" className={styles.overview}>
      <Figures figures={names.map((name) => ({ name: words[name], value: count(totals[name]) }))} />
      <div className={styles.plots}>
        {(['visitors', 'views'] as const).map((name) => (
          <div key={name}>
            <h2>{words[name]}</h2>
            <Plot
              name={`${words[name]} by ${isHourly ? 'hour' : 'day'}`}
              series={[{ name: words[name], kind: 'main' }]}
              height={140}
              bars={(series.find((one) => one.name === name)?.points ?? []).map(([at = 0, n = 0]) => ({
                key: at,
                label: isHourly ? hourOf(at) : dayOf(at),
                values: [n],
              }))}
            />
          </div>
        ))}
      </div>
      <p className="t12 three">Live events of people, without bots and tests. Days begin at midnight UTC.</p>
    </section>
  )
}

function NoEvents({ period }: { period: ReportPeriod }) {
  const { orgId, can } = useScope()
  const length = periods.find(([one]) => one === period)?.[1] ?? ''
  return (
    <Empty icon="usage" title={`No page was viewed in the last ${length}`}>
      <p className="two">Choose a longer period, or check that your pages send events.</p>
      {can('tracking:read') && (
        <Link to="/o/$orgId/settings/tracking" params={{ orgId }} {...buttonLook({})}>
          Open Settings → Tracking
        </Link>
      )}
    </Empty>
  )
}
