import type { Merge } from '../../../../sdk/src/generated/types.ts'
import { evidenceWords, ruleWords, scoreWords } from '../../records/duplicate-words.ts'
import styles from './evidence.module.css'

type Limits = { review: number; auto: number | null }

type Line = { field: string; level: string; weight: number; isStart?: boolean }

/** A rule proposes its pairs at any score. */
const limitWords = (rule: string | null, { review, auto }: Limits) =>
  rule !== null
    ? 'proposed by a rule'
    : auto === null
      ? `proposed from ${review}`
      : `proposed from ${review}, merged from ${auto}`

const signed = (weight: number) => `${weight < 0 ? '−' : weight > 0 ? '+' : ''}${Math.abs(weight).toFixed(1)}`

/** Why two records may be the same: a bar for each compared field, from where any two records begin. */
export function Evidence({
  merge: { score, rule, evidence },
  many,
  limits,
}: {
  merge: Pick<Merge, 'score' | 'rule' | 'evidence'>
  many: string
  /** From which score the engine proposes, and merges by itself if that is on. */
  limits: Limits | null
}) {
  const lines = withStart(score, evidence, many)
  const ends = [0, ...lines.map(({ weight }) => weight)]
  const [lowest, highest] = [Math.min(...ends), Math.max(...ends)]
  const width = highest - lowest || 1
  const place = (weight: number) => ((weight - lowest) / width) * 100
  return (
    <section className="pad stack g12" aria-label="Why">
      <div className={styles.head}>
        <h2>Why</h2>
        <p className="three t12">A step to the right doubles the odds that the two are the same.</p>
        <p className="end">
          <b className="t20 strong">{scoreWords(score)}</b>{' '}
          <span className="three">{limits && limitWords(rule, limits)}</span>
        </p>
      </div>
      <p className="two">{ruleWords(rule)}</p>
      <ul className={styles.lines}>
        {lines.map(({ field, level, weight, isStart }) => (
          <li key={`${field} ${level}`}>
            <span className="two">{evidenceWords(field)}</span>
            <span>{level}</span>
            <span className={styles.track} style={{ '--zero': `${place(0)}%` } as object} aria-hidden="true">
              <i
                data-kind={isStart ? 'start' : weight < 0 ? 'against' : undefined}
                style={{
                  left: `${place(Math.min(0, weight))}%`,
                  width: `${(Math.abs(weight) / width) * 100}%`,
                }}
              />
            </span>
            <span className={weight < 0 && !isStart ? 'warn' : 'two'}>{signed(weight)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The evidence, after the odds of any two records. The score is the sum of both. */
function withStart(score: number | null, evidence: Merge['evidence'], many: string): Line[] {
  if (score === null || score <= 0 || score >= 1) return [...evidence]
  const sum = evidence.reduce((total, { weight }) => total + weight, 0)
  const start = Math.log2(score / (1 - score)) - sum
  return [{ field: 'To begin with', level: `any two ${many}`, weight: start, isStart: true }, ...evidence]
}
