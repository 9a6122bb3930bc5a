import { State } from './state.tsx'
import { ago, fullTime, isSoon } from './times.ts'

/**
 * A time in words, such as “12 sec. ago”. Hovering shows the exact time.
 * @param at Unix seconds
 * @param never the text for null
 */
export const Time = ({ at, never = 'never' }: { at: number | null; never?: string }) =>
  at === null ? (
    <span className="three">{never}</span>
  ) : (
    <time dateTime={new Date(at * 1000).toISOString()} title={fullTime(at)}>
      {ago(at)}
    </time>
  )

/** When something ends, with a warning in its last days; null: never. */
export const EndTime = ({ at, warnDays }: { at: number | null; warnDays?: number }) =>
  at !== null && isSoon(at, warnDays) ? (
    <State kind="warn">
      <Time at={at} />
    </State>
  ) : (
    <Time at={at} />
  )
