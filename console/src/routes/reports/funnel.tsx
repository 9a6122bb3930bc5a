import { useState } from 'react'
import type { Funnel, FunnelStepKind, FunnelStepMatch } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Note } from '../../parts/note.tsx'
import { percent } from '../../parts/numbers.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { type ReportPeriod, rangeOf } from './period.ts'
import { BarRow } from './report-list.tsx'

type Step = { id: number; kind: FunnelStepKind; match: FunnelStepMatch; value: string }

const newStep = (id: number): Step => ({ id, kind: 'event', match: 'is', value: '' })

const stepsMin = 2
const stepsMax = 5
/** The steps that the page shows at first have the ids 1 and 2. */
const firstSteps = 2
const kinds = [
  ['page', 'Page'],
  ['event', 'Event'],
] as const
const matches = [
  ['is', 'is'],
  ['starts_with', 'starts with'],
  ['contains', 'contains'],
] as const

/**
 * Counts the visitors who did two to five steps in order. The counts are shown with the period that they are for.
 * @param isHidden whether there is nothing to count. The steps that were typed are kept.
 */
export function FunnelSection({ period, isHidden }: { period: ReportPeriod; isHidden: boolean }) {
  const { api } = useScope()
  const [steps, setSteps] = useState<readonly Step[]>([
    { id: 1, kind: 'page', match: 'is', value: '/' },
    newStep(firstSteps),
  ])
  const [counted, setCounted] = useState<{ period: ReportPeriod; funnel: Funnel } | null>(null)
  const change = (id: number, fields: Partial<Step>) =>
    setSteps(steps.map((step) => (step.id === id ? { ...step, ...fields } : step)))
  const { submit, isBusy, errorAt, rest } = useSubmit(
    async () => {
      const { from, to } = rangeOf(period)
      const funnel = await api.tracking.reports.funnel({
        from,
        to,
        steps: steps.map(({ kind, match, value }) => ({ kind, match, value })),
      })
      return { period, funnel }
    },
    { places: steps.map((_step, at) => `steps.${at}`), onDone: setCounted },
  )
  return (
    <section aria-label="Funnel" hidden={isHidden}>
      <Form isBusy={isBusy} className={styles.funnel} noValidate={false} onSubmit={submit}>
        <div className="stack g0">
          <h2>Funnel</h2>
          <p className="two">How many visitors did these steps in order, within 7 days.</p>
        </div>
        {steps.map(({ id, kind, match, value }, at) => (
          <fieldset key={id} className={styles.step}>
            <legend className="sr">Step {at + 1}</legend>
            <Select
              label={`Step ${at + 1}`}
              value={kind}
              options={kinds}
              onChange={(next) => change(id, { kind: next })}
            />
            <Select
              label="Comparison"
              value={match}
              options={matches}
              onChange={(next) => change(id, { match: next })}
            />
            <TextField
              label={kind === 'page' ? 'Path' : 'Name'}
              value={value}
              error={errorAt(`steps.${at}`)}
              required
              maxLength={200}
              placeholder={kind === 'page' ? '/pricing' : 'Signed Up'}
              // A step that was just added: what a person types next belongs there.
              autoFocus={id > firstSteps}
              onChange={(next) => change(id, { value: next })}
            />
            <Button
              kind="quiet"
              icon="close"
              aria-label={`Remove step ${at + 1}`}
              disabled={steps.length <= stepsMin}
              onClick={() => setSteps(steps.filter((step) => step.id !== id))}
            />
          </fieldset>
        ))}
        <div className="rail">
          <Button type="submit" isBusy={isBusy}>
            Count visitors
          </Button>
          <Button
            kind="quiet"
            icon="plus"
            disabled={steps.length >= stepsMax}
            onClick={() =>
              setSteps([...steps, newStep(Math.max(firstSteps, ...steps.map(({ id }) => id)) + 1)])
            }
          >
            Add a step
          </Button>
        </div>
        {rest && <Note kind="bad">{rest}</Note>}
        {counted?.period === period && <Counts funnel={counted.funnel} />}
      </Form>
    </section>
  )
}

function Counts({ funnel: { steps } }: { funnel: Funnel }) {
  const first = steps[0]?.visitors ?? 0
  return (
    <ol className={styles.rows} aria-label="Visitors of each step">
      {steps.map(({ kind, match, value, visitors }, at) => (
        <BarRow
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps can be equal
          key={at}
          name={`${kind === 'page' ? 'Page' : 'Event'} ${match.replace('_', ' ')} ${value}`}
          n={visitors}
          most={first}
          about={first > 0 ? percent(visitors / first) : ''}
        />
      ))}
    </ol>
  )
}
