import { Icon, RunningIcon } from '../../../parts/icon.tsx'
import styles from './new.module.css'

export type Step = 'file' | 'columns' | 'check' | 'import'

const steps: readonly (readonly [Step, string])[] = [
  ['file', 'File'],
  ['columns', 'Columns'],
  ['check', 'Check'],
  ['import', 'Import'],
]

/** The steps of an import, with the current one. */
export function Steps({ current }: { current: Step }) {
  const at = steps.findIndex(([step]) => step === current)
  return (
    <ol className={`${styles.steps} opt`} aria-label="Steps">
      {steps.map(([step, name], index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined}>
          {index === at ? <RunningIcon /> : <Icon name={index < at ? 'done' : 'ring'} size={14} />}
          {name}
        </li>
      ))}
    </ol>
  )
}
