import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { count } from '../../parts/numbers.ts'
import { Plot } from '../../parts/plot.tsx'
import { weekdayOf } from '../../parts/times.ts'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { SectionHead } from './section-head.tsx'

const day = 86_400
const names: Record<string, string> = {
  requests: 'Requests',
  events: 'Changes',
  calls: 'Calls',
  call_minutes: 'Call minutes',
}

/** Figures for the last seven days. */
export function Week() {
  const { orgId, mode, api } = useScope()
  const usage = useQuery({
    queryKey: ['week', orgId, mode],
    queryFn: ({ signal }) => {
      const to = Math.floor(Date.now() / 1000)
      return api.usage.get({ from: to - 6 * day, to, step: 'day' }, { signal })
    },
    refetchInterval: 60_000,
  })
  return (
    <section className="pad rule stack g0" aria-label="This week">
      <SectionHead title="This week" />
      <Loaded query={usage}>
        {({ series }) => (
          <>
            <div className={styles.week}>
              {series
                .filter(({ name }) => name in names)
                .map(({ name, points }) => {
                  const title = names[name] ?? name
                  return (
                    <div key={name} className="stack g4">
                      <h3 className="two">{title}</h3>
                      <p className="t20 strong">
                        {count(points.reduce((sum, [, value = 0]) => sum + value, 0))}
                      </p>
                      <Plot
                        name={`${title} by day`}
                        series={[{ name: title, kind: 'main' }]}
                        bars={points.map(([at = 0, ...values]) => ({
                          key: at,
                          label: weekdayOf(at),
                          values,
                        }))}
                        height={34}
                        hasAxis={false}
                      />
                    </div>
                  )
                })}
            </div>
            <p className="t12 three">Days begin at midnight UTC.</p>
          </>
        )}
      </Loaded>
    </section>
  )
}
