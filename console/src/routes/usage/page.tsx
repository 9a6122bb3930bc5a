import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Usage } from '../../../../sdk/src/generated/types.ts'
import { Segments } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { count } from '../../parts/numbers.ts'
import { Plot } from '../../parts/plot.tsx'
import { dayOf, hourOf } from '../../parts/times.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import type { UsagePeriod } from './period.ts'

const periods = [
  ['day', '24 hours'],
  ['week', '7 days'],
  ['month', '30 days'],
] as const

const hour = 3_600
const lengths: Record<UsagePeriod, { seconds: number; step: 'hour' | 'day' }> = {
  day: { seconds: 24 * hour, step: 'hour' },
  week: { seconds: 7 * 24 * hour, step: 'hour' },
  month: { seconds: 30 * 24 * hour, step: 'day' },
}

const words: Record<string, { title: string; about: string }> = {
  requests: { title: 'Requests', about: 'Requests of API keys and people that were accepted.' },
  rate_limited: {
    title: 'Refused by the rate limit',
    about: 'Requests that got status 429. Programs should wait and send them again.',
  },
  calls: { title: 'Calls', about: 'Calls that were placed.' },
  call_minutes: { title: 'Call minutes', about: 'Each call is rounded up to a full minute.' },
  events: { title: 'Changes', about: 'Changes of records, keys and settings.' },
}

/** The usage of the organization, by hour or by day. */
export function UsagePage() {
  const { orgId, mode, api } = useScope()
  const { period = 'day' } = useSearch({ from: '/o/$orgId/usage' })
  const navigate = useNavigate({ from: '/o/$orgId/usage' })
  const usage = useQuery({
    queryKey: ['usage', orgId, mode, period],
    queryFn: ({ signal }) => {
      const { seconds, step } = lengths[period]
      const to = Math.floor(Date.now() / 1000)
      return api.usage.get({ from: to - seconds, to, step }, { signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  return (
    <Page
      name="Usage"
      acts={
        <Segments
          label="Period"
          isLabelHidden
          value={period}
          options={periods}
          onChange={(next) => void navigate({ search: (all) => ({ ...all, period: next }), replace: true })}
        />
      }
    >
      <Loaded query={usage}>
        {({ series }) => (
          <div className={styles.grid}>
            {series.map((one) => (
              <Series key={one.name} series={one} isHourly={lengths[period].step === 'hour'} />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Series({
  series: { name, points },
  isHourly,
}: {
  series: Usage['series'][number]
  isHourly: boolean
}) {
  const { title, about } = words[name] ?? { title: name, about: '' }
  const total = points.reduce((sum, [, value = 0]) => sum + value, 0)
  return (
    <section aria-label={title}>
      <div className="stack g0">
        <h2>{title}</h2>
        <p className="t26 strong">{count(total)}</p>
        <p className="t12 three">{about}</p>
      </div>
      <Plot
        name={isHourly ? `${title} by hour` : `${title} by day`}
        series={[{ name: title, kind: name === 'rate_limited' ? 'warn' : 'main' }]}
        bars={points.map(([at = 0, ...values]) => ({
          key: at,
          label: isHourly ? hourOf(at) : dayOf(at),
          values,
        }))}
      />
    </section>
  )
}
