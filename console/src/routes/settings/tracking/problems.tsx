import type { TrackingProblem } from '../../../../../sdk/src/generated/types.ts'
import { count } from '../../../parts/numbers.ts'
import { State } from '../../../parts/state.tsx'
import { Time } from '../../../parts/time.tsx'
import styles from './problems.module.css'

/** The reasons why events were not stored, and what to do. The most frequent reason comes first. */
export const Problems = ({ problems }: { problems: readonly TrackingProblem[] }) =>
  problems.length === 0 ? (
    <p className="pad rule two">No event was dropped, and no request was refused.</p>
  ) : (
    <ul className={styles.list} aria-label="Reasons">
      {problems.map((problem) => (
        <Problem key={`${problem.outcome} ${problem.reason}`} problem={problem} />
      ))}
    </ul>
  )

function Problem({ problem: { outcome, reason, n, hint, sample } }: { problem: TrackingProblem }) {
  const [one, many] = outcome === 'dropped' ? ['event', 'events'] : ['request', 'requests']
  return (
    <li className={`pad ${styles.problem}`}>
      <div className="rail wrap">
        <State kind={outcome === 'dropped' ? 'warn' : 'bad'}>
          <span className="strong">{reason.replaceAll('_', ' ')}</span>
        </State>
        <span className="two">
          {count(n)} {n === 1 ? one : many} {outcome}
        </span>
      </div>
      <p>{marked(hint)}</p>
      {sample && (
        <p className="t12 three">
          Last <Time at={sample.at} />
          {sample.type !== null && `: ${sample.type}`}
          {sample.name !== null && ` “${sample.name}”`}
          {sample.origin !== null && `, from ${sample.origin}`}
          {sample.library !== null && `, by ${sample.library}`}
        </p>
      )}
    </li>
  )
}

/** Shows text between backticks as code. */
const marked = (text: string) =>
  text.split('`').map((part, nth) =>
    nth % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="mono">
        {part}
      </code>
    ),
  )
