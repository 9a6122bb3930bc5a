import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebhookEndpoint, WebhookHour } from '../../../../../sdk/src/generated/types.ts'
import { Segments } from '../../../parts/field.tsx'
import { type Figure, Figures } from '../../../parts/figures.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { count, duration, percent } from '../../../parts/numbers.ts'
import { Plot, type PlotBar, type PlotSeries } from '../../../parts/plot.tsx'
import { clockOf, dayOf, firstOf } from '../../../parts/times.ts'
import { useScope } from '../../../shell/scope.tsx'
import { type Period, periods, statsQuery } from './stats-query.ts'

const series: readonly PlotSeries[] = [
  { name: 'delivered', kind: 'main' },
  { name: 'failed', kind: 'bad' },
]

/** The requests to an endpoint in numbers. */
export function Statistics({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { endpoint_id: endpointId, status } = endpoint
  const scope = useScope()
  const [period, setPeriod] = useState<Period>('day')
  const { bars, seconds } = periods[period]
  const stats = useQuery(statsQuery(scope, endpointId, period))
  return (
    <section className="pad stack g12 rule" aria-label="Statistics">
      <div className="rail wrap">
        <h3 className="grow">Requests</h3>
        <Segments
          label="Period"
          isLabelHidden
          value={period}
          options={[
            ['day', '24 hours'],
            ['month', '30 days'],
          ]}
          onChange={setPeriod}
        />
      </div>
      <Loaded query={stats}>
        {({ hours, waiting_retries }) => {
          const { delivered, failed, average } = sumOf(hours)
          return (
            <>
              <Figures
                figures={[
                  { name: 'Delivered', value: count(delivered) },
                  {
                    name: 'Failed',
                    value: count(failed),
                    about: failed > 0 ? `${share(failed, delivered + failed)} of the requests` : null,
                    isBad: failed > 0,
                  },
                  { name: 'Average time', value: average === null ? '–' : duration(average) },
                  waitingOf(waiting_retries, status),
                ]}
              />
              <Plot
                name={period === 'day' ? 'Requests by hour' : 'Requests by day'}
                series={series}
                bars={barsOf(hours, bars, seconds)}
                height={96}
              />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

/**
 * The number of events that wait for their next try. For a failing endpoint the number would be misleading, because all
 * its events wait.
 */
const waitingOf = (waiting: number, status: WebhookEndpoint['status']): Figure => ({
  name: 'Wait for another try',
  ...(status === 'failing'
    ? { value: 'all', about: 'until a try succeeds' }
    : { value: count(waiting), about: waiting === 1 ? 'event, now' : 'events, now' }),
})

function barsOf(hours: readonly WebhookHour[], bars: number, seconds: number): PlotBar[] {
  const first = firstOf(bars, seconds)
  return Array.from({ length: bars }, (_, index) => {
    const begin = first + index * seconds
    const within = hours.filter(({ hour }) => hour >= begin && hour < begin + seconds)
    const { delivered, failed } = sumOf(within)
    const label = seconds === 3_600 ? clockOf(begin) : dayOf(begin)
    return { key: begin, label, values: [delivered, failed] }
  })
}

function sumOf(hours: readonly WebhookHour[]) {
  let [delivered, failed, time] = [0, 0, 0]
  for (const hour of hours) {
    delivered += hour.delivered
    failed += hour.failed
    time += hour.average_ms * (hour.delivered + hour.failed)
  }
  const requests = delivered + failed
  return { delivered, failed, average: requests === 0 ? null : Math.round(time / requests) }
}

const share = (part: number, whole: number): string =>
  part / whole < 0.01 ? `less than ${percent(0.01)}` : percent(part / whole)
