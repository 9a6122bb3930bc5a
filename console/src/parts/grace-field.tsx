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

/** The choices for a key in web pages, which browsers and proxies cache. */
export const pageGraces = [
  ['0', 'Not at all'],
  ['3600', '1 hour'],
  ['86400', '24 hours'],
  ['604800', '7 days'],
  ['2592000', '30 days'],
  ['7776000', '90 days'],
] as const

export type PageGrace = (typeof pageGraces)[number][0]

/** How long an old secret stays valid beside the new one, in seconds. */
export function GraceField<Value extends string = Grace>({
  label,
  value,
  options = graces as unknown as readonly (readonly [Value, string])[],
  onChange,
}: {
  label: string
  value: Value
  options?: readonly (readonly [value: Value, text: string])[]
  onChange: (grace: Value) => void
}) {
  const seconds = Number(value)
  const longest = Number(options.at(-1)?.[0])
  const end = now() + seconds
  return (
    <>
      <Segments label={label} value={value} options={options} onChange={onChange} />
      <div className={styles.bar} aria-hidden="true">
        <div className={styles.old} style={{ width: `${(Math.log1p(seconds) / Math.log1p(longest)) * 90}%` }}>
          old{seconds > 0 && `, until ${seconds < 86_400 ? clockOf(end) : fullTime(end)}`}
        </div>
        <div className={styles.new}>new</div>
      </div>
    </>
  )
}
