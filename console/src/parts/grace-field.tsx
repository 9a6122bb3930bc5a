import { Segments } from './field.tsx'
import styles from './grace-field.module.css'
import { clockOf, fullTime, now } from './times.ts'

const graces = [
  ['0', 'Not at all'],
  ['900', '15 min'],
  ['3600', '1 hour'],
  ['21600', '6 hours'],
  ['86400', '24 hours'],
  ['604800', '7 days'],
] as const

export type Grace = (typeof graces)[number][0]

const longest = 604_800

/** How long an old secret stays valid beside the new one, in seconds. */
export function GraceField({
  label,
  value,
  onChange,
}: {
  label: string
  value: Grace
  onChange: (grace: Grace) => void
}) {
  const seconds = Number(value)
  const end = now() + seconds
  return (
    <>
      <Segments label={label} value={value} options={graces} onChange={onChange} />
      <div className={styles.bar} aria-hidden="true">
        <div className={styles.old} style={{ width: `${(Math.log1p(seconds) / Math.log1p(longest)) * 90}%` }}>
          old{seconds > 0 && `, until ${seconds < 86_400 ? clockOf(end) : fullTime(end)}`}
        </div>
        <div className={styles.new}>new</div>
      </div>
    </>
  )
}
