import { useQuery } from '@tanstack/react-query'
import { count } from '../../parts/numbers.ts'
import { Plot } from '../../parts/plot.tsx'
import { dayOf, firstOf } from '../../parts/times.ts'
import { useScope } from '../../shell/scope.tsx'
import { voiceUsageQuery } from './call-queries.ts'
import styles from './page.module.css'

const daysShown = 30
const day = 86_400
const titles: Record<string, string> = { calls: 'Calls', call_minutes: 'Minutes' }
const units: Record<string, string> = { calls: 'call', call_minutes: 'minute' }

/** How many calls and minutes there were in the last 30 days, and what is left of this month. */
export function CallUsage() {
  const scope = useScope()
  const { orgId, mode, api } = scope
  const usage = useQuery({
    queryKey: ['call-usage', orgId, mode],
    queryFn: ({ signal }) => {
      const to = Math.floor(Date.now() / 1000)
      return api.usage.get({ from: firstOf(daysShown, day), to: to + 1, step: 'day' }, { signal })
    },
    refetchInterval: 60_000,
  })
  const month = useQuery({ ...voiceUsageQuery(scope), refetchInterval: 60_000 })
  if (!usage.data || !month.data) return null
  const { months, included_minutes: included, concurrent_calls, concurrent_call_cap } = month.data
  const used = monthsMinutes(months)
  return (
    <section className={styles.usage} aria-label="Usage">
      {usage.data.series
        .filter(({ name }) => name in titles)
        .map(({ name, points }) => (
          <div key={name} className="stack g4">
            <Total n={points.reduce((sum, [, value = 0]) => sum + value, 0)} unit={units[name] ?? name} />
            <Plot
              name={`${titles[name]} by day`}
              series={[{ name: titles[name] ?? name, kind: 'main' }]}
              bars={points.map(([at = 0, ...values]) => ({ key: at, label: dayOf(at), values }))}
              height={36}
              hasAxis={false}
            />
          </div>
        ))}
      <div className="stack g4">
        <p className="rail base">
          <span className="t20 strong">{count(used)}</span>
          <span className="two t12">
            live minutes this month{included === null ? '' : ` of ${count(included)}`}
          </span>
        </p>
        <p className="two t12">
          {count(concurrent_calls)} of at most {count(concurrent_call_cap)} live calls{' '}
          {concurrent_calls === 1 ? 'runs' : 'run'} now.
        </p>
      </div>
    </section>
  )
}

const Total = ({ n, unit }: { n: number; unit: string }) => (
  <p className="rail base">
    <span className="t20 strong">{count(n)}</span>
    <span className="two t12">
      {unit}
      {n === 1 ? '' : 's'} in {daysShown} days
    </span>
  </p>
)

/** The live minutes of this month, in UTC. */
export const monthsMinutes = (months: readonly { month: string; live: { minutes: number } }[]): number => {
  const now = new Date().toISOString().slice(0, 7)
  return months.find(({ month }) => month === now)?.live.minutes ?? 0
}
