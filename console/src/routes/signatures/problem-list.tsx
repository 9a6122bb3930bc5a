import { Icon } from '../../parts/icon.tsx'
import { count } from '../../parts/numbers.ts'
import styles from './source.module.css'
import type { PartProblem } from './use-preview.ts'

/**
 * The problems of a template: links to the lines below which the editor explains them, and the problems without a line.
 * Screen readers hear how many there are.
 */
export function ProblemList({
  problems,
  onOpen,
}: {
  problems: readonly PartProblem[]
  onOpen: (problem: PartProblem) => void
}) {
  const placed = problems.filter(({ line }) => line !== null)
  const others = problems.filter(({ line }) => line === null)
  const isBad = problems.some(({ kind }) => kind === 'error')
  return (
    <>
      <p className="sr" role="status">
        {problems.length > 0 && problemWords(problems.length)}
      </p>
      {problems.length > 0 && (
        <ul className={styles.problems} aria-label="Problems">
          {placed.length > 0 && (
            <li className={isBad ? 'bad' : 'warn'}>
              <Icon name="alert" size={14} />
              <span>{problemWords(placed.length)}:</span>
              {placed.map((problem) => (
                <button
                  key={`${problem.part} ${problem.line} ${problem.text}`}
                  type="button"
                  className="link"
                  title={problem.text}
                  onClick={() => onOpen(problem)}
                >
                  {problem.part === 'text' ? 'text line' : 'line'} {count(problem.line ?? 0)}
                </button>
              ))}
            </li>
          )}
          {others.map(({ text, kind }) => (
            <li key={text} className={kind === 'error' ? 'bad' : 'warn'}>
              <Icon name="alert" size={14} />
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const problemWords = (number: number) => (number === 1 ? '1 problem' : `${count(number)} problems`)
