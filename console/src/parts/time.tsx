import { useSyncExternalStore } from 'react'
import { localDay } from './days.ts'
import { State } from './state.tsx'
import { ago, fullTime, isSoon } from './times.ts'

/**
 * A time in words, such as “12 sec. ago”. The words change as time passes. Hovering shows the exact time.
 * @param at Unix seconds
 * @param never the text for null
 */
export const Time = ({ at, never = 'never' }: { at: number | null; never?: string }) =>
  at === null ? <span className="three">{never}</span> : <Passing at={at} />

function Passing({ at }: { at: number }) {
  // React renders the time again only when the words change.
  const words = useSyncExternalStore(everySecond, () => ago(at))
  return (
    <time
      dateTime={new Date(at * 1000).toISOString()}
      // Only for a time that a person points at: writing the times of a long list takes a while.
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = fullTime(at)
      }}
    >
      {words}
    </time>
  )
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** All times of a page share one timer. */
function everySecond(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The day in the time zone of this computer: `2026-03-31`. At midnight, what uses it is rendered again. */
export const useToday = (): string => useSyncExternalStore(everySecond, localDay)

/** When something ends, with a warning in its last days; null: never. */
export const ExpiryTime = ({ at, warnDays }: { at: number | null; warnDays?: number }) =>
  at !== null && isSoon(at, warnDays) ? (
    <State kind="warn">
      <Time at={at} />
    </State>
  ) : (
    <Time at={at} />
  )
