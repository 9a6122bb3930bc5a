import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import { count } from './numbers.ts'
import styles from './plot.module.css'

/** A point in time, with one value for each series. */
export type PlotBar = { key: number; label: string; values: readonly number[] }

/** A series of values. `warn` and `bad` have outlines, because color alone must not carry meaning. */
export type PlotSeries = { name: string; kind: 'main' | 'warn' | 'bad' }

/**
 * Bars over time, with stacked series. The pointer and the arrow keys show the numbers of one bar. Screen readers get
 * a table.
 * @param format the text of a value; by default the number
 * @param hasAxis false: only the bars, for a plot beside others
 */
export function Plot({
  name,
  series,
  bars,
  height = 120,
  hasAxis = true,
  format = count,
}: {
  name: string
  series: readonly PlotSeries[]
  bars: readonly PlotBar[]
  height?: number
  hasAxis?: boolean
  format?: (value: number) => string
}) {
  const [shown, setShown] = useState<number | null>(null)
  const highest = Math.max(0, ...bars.map(({ values }) => sum(values)))
  const last = bars.length - 1
  const walk = (event: KeyboardEvent) => {
    const next = { ArrowLeft: (shown ?? last) - 1, ArrowRight: (shown ?? last) + 1, Home: 0, End: last }[
      event.key
    ]
    if (event.key === 'Escape') return setShown(null)
    if (next === undefined) return
    event.preventDefault()
    setShown(Math.min(last, Math.max(0, next)))
  }
  const bar = shown === null ? undefined : bars[shown]
  return (
    <figure className={styles.figure}>
      {hasAxis && (
        <figcaption className={styles.legend} aria-hidden="true">
          {series.length > 1 &&
            series.map(({ name, kind }) => (
              <span key={name} className={styles.name}>
                <i data-kind={kind} />
                {name}
              </span>
            ))}
          {highest > 0 && <span className="end">{format(highest)}</span>}
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        className={styles.bars}
        role="group"
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys show the numbers of each bar
        tabIndex={0}
        data-axis={hasAxis || undefined}
        data-dense={bars.length > 60 || undefined}
        style={{ '--plot-height': `${height}px` } as CSSProperties}
        onKeyDown={walk}
        onFocus={() => setShown((before) => before ?? last)}
        onBlur={() => setShown(null)}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setShown(null)}
      >
        {bars.map(({ key, values }, index) => (
          <div
            key={key}
            className={styles.bar}
            data-shown={index === shown || undefined}
            aria-hidden="true"
            onPointerEnter={() => setShown(index)}
          >
            {series
              .map(({ name, kind }, nth) => ({ name, kind, value: values[nth] ?? 0 }))
              .filter(({ value }) => value > 0)
              .reverse()
              .map(({ name, kind, value }) => (
                <i key={name} data-kind={kind} style={{ height: `${(value / highest) * 100}%` }} />
              ))}
          </div>
        ))}
        {bar && (
          <Tip bar={bar} series={series} format={format} place={last === 0 ? 0.5 : (shown ?? 0) / last} />
        )}
      </div>
      {hasAxis && (
        <div className={styles.axis} aria-hidden="true">
          {[0, Math.floor(last / 2), last].map((index) => (
            <span key={index}>{bars[index]?.label}</span>
          ))}
        </div>
      )}
      {/* The wrapper hides the table: the height of an unwrapped table would make the page longer. */}
      <div className="sr">
        <table>
          <caption>{name}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, label, values }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                {series.map(({ name }, nth) => (
                  <td key={name}>{format(values[nth] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

/**
 * The numbers of one bar.
 * @param place from 0 (first bar) to 1 (last bar)
 */
const Tip = ({
  bar: { label, values },
  series,
  format,
  place,
}: {
  bar: PlotBar
  series: readonly PlotSeries[]
  format: (value: number) => string
  place: number
}) => (
  <div
    className={styles.tip}
    style={{ left: `${place * 100}%`, translate: `${place * -100}% 0` }}
    aria-hidden="true"
  >
    {label}:{' '}
    {series.length === 1
      ? format(values[0] ?? 0)
      : series.map(({ name }, nth) => `${format(values[nth] ?? 0)} ${name}`).join(', ')}
  </div>
)

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
