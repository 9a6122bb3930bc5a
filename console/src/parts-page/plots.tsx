import { Plot, type PlotBar } from '../parts/plot.tsx'
import { Section, SectionBody } from '../parts/section.tsx'
import { dayOf, hourOf, weekdayOf } from '../parts/times.ts'
import styles from './page.module.css'

const hour = 3_600
const firstAt = 1_795_392_000

/** Bars with values that form no visible pattern. */
const barsOf = (length: number, step: number, labelOf: (at: number) => string, second = 0): PlotBar[] =>
  Array.from({ length }, (_, index) => ({
    key: firstAt + index * step,
    label: labelOf(firstAt + index * step),
    values: [
      Math.round(2_000 + 1_800 * Math.sin(index * 1.7) * Math.cos(index / 9)),
      index % 5 === 3 ? second : 0,
    ],
  }))

export const Plots = () => (
  <Section
    title="Plots"
    about="The pointer and the arrow keys show the numbers of a bar. Screen readers get a table."
  >
    <SectionBody>
      <div className={styles.form}>
        <Plot
          name="Requests by hour"
          series={[{ name: 'Requests', kind: 'main' }]}
          bars={barsOf(24, hour, hourOf)}
        />
        <Plot
          name="Deliveries by day"
          series={[
            { name: 'delivered', kind: 'main' },
            { name: 'failed', kind: 'bad' },
          ]}
          bars={barsOf(30, 24 * hour, dayOf, 900)}
        />
        <Plot
          name="Refused requests by hour"
          series={[{ name: 'Refused', kind: 'warn' }]}
          bars={barsOf(168, hour, hourOf)}
        />
        <Plot
          name="Nothing yet"
          series={[{ name: 'Calls', kind: 'main' }]}
          bars={barsOf(24, hour, hourOf).map((bar) => ({ ...bar, values: [0] }))}
        />
        <Plot
          name="A week"
          series={[{ name: 'Changes', kind: 'main' }]}
          bars={barsOf(7, 24 * hour, weekdayOf)}
          height={34}
          hasAxis={false}
        />
      </div>
    </SectionBody>
  </Section>
)
