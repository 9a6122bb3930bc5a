import { useEffect, useRef } from 'react'

/** Something that a person would lose by leaving the page: typed text, or a secret that is shown once. */
type Guard = {
  /** Whether there is something to lose now. */
  isNeeded: () => boolean
  /** Asks the person. True: they leave. */
  ask: () => Promise<boolean>
}

const guards: Guard[] = []

/** Guards what the component shows, as long as it is there. */
export function useGuard(guard: Guard): void {
  const latest = useRef(guard)
  useEffect(() => {
    latest.current = guard
  })
  useEffect(() => {
    const own: Guard = { isNeeded: () => latest.current.isNeeded(), ask: () => latest.current.ask() }
    guards.push(own)
    return () => void (guards.includes(own) && guards.splice(guards.indexOf(own), 1))
  }, [])
}

/** Whether the person would lose something by leaving the page. */
export const isGuarded = (): boolean => guards.some(({ isNeeded }) => isNeeded())

/** Asks the person about everything that they would lose, the uppermost first. True: they leave. */
export async function mayLeave(): Promise<boolean> {
  for (const { isNeeded, ask } of guards.toReversed()) if (isNeeded() && !(await ask())) return false
  return true
}

/** Forgets what the page guards, so that it can be left without a question. */
export const dropGuards = (): void => void guards.splice(0)
