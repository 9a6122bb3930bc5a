import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Mode, TrackingCounts, TrackingUsage } from '../../../../../sdk/src/generated/types.ts'
import { Segments } from '../../../parts/field.tsx'
import { type Figure, Figures } from '../../../parts/figures.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { count, percent } from '../../../parts/numbers.ts'
import { Plot, type PlotBar, type PlotSeries } from '../../../parts/plot.tsx'
import { dayOf, hourOf } from '../../../parts/times.ts'
import { useScope } from '../../../shell/scope.tsx'
import { Problems } from './problems.tsx'

const series: readonly PlotSeries[] = [
  { name: 'stored', kind: 'main' },
  { name: 'dropped', kind: 'bad' },
]

/**
 * The numbers of received events by outcome, and the reasons why some were not stored.
 * @param writeKeyId null: with every key
 */
export function Received({ mode, writeKeyId }: { mode: Mode; writeKeyId: string | null }) {
  const { orgId, api } = useScope()
  const [step, setStep] = useState<'hour' | 'day'>('hour')
  const usage = useQuery({
    queryKey: ['tracking-usage', orgId, mode, writeKeyId, step],
    queryFn: ({ signal }) =>
      api.tracking.usage.get({ step, mode, write_key_id: writeKeyId ?? undefined }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  })
  return (
    <section className="stack g0 rule" style={{ marginTop: -1 }} aria-label="Received events">
      <div className="pad stack g12">
        <div className="rail wrap">
          <h3 className="grow">Received events</h3>
          <Segments
            label="Period"
            isLabelHidden
            value={step}
            options={[
              ['hour', '24 hours'],
              ['day', '30 days'],
            ]}
            onChange={setStep}
          />
        </div>
        <Loaded query={usage}>
          {(found) => (
            <>
              <Figures figures={figuresOf(found.totals)} />
              <Plot
                name={step === 'hour' ? 'Events by hour' : 'Events by day'}
                series={series}
                bars={barsOf(found, step === 'hour' ? hourOf : dayOf)}
                height={96}
              />
            </>
          )}
        </Loaded>
      </div>
      {usage.data && <Problems problems={usage.data.problems} />}
    </section>
  )
}

function figuresOf({ accepted, duplicate, bot, dropped, refused }: TrackingCounts): Figure[] {
  const events = accepted + duplicate + bot + dropped
  return [
    { name: 'Stored', value: count(accepted) },
    { name: 'Sent again', value: count(duplicate), about: duplicate > 0 ? 'and stored once' : null },
    ...(bot > 0 ? [{ name: 'Of bots', value: count(bot), about: 'they are in no report' }] : []),
    {
      name: 'Dropped',
      value: count(dropped),
      about: dropped > 0 ? `${share(dropped / events)} of the events` : null,
      isBad: dropped > 0,
    },
    { name: 'Refused requests', value: count(refused), isBad: refused > 0 },
  ]
}

const share = (part: number): string => (part < 0.01 ? `less than ${percent(0.01)}` : percent(part))

function barsOf({ series }: TrackingUsage, labelOf: (at: number) => string): PlotBar[] {
  const pointsOf = (wanted: string) => series.find(({ name }) => name === wanted)?.points ?? []
  const dropped = pointsOf('dropped')
  return pointsOf('accepted').map(([at = 0, stored = 0], nth) => ({
    key: at,
    label: labelOf(at),
    values: [stored, dropped[nth]?.[1] ?? 0],
  }))
}
