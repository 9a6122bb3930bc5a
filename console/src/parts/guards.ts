import { useEffect, useRef } from 'react'

/** Something that a person would lose by leaving the page: typed text, or a secret that is shown once. */
type Guard = {
  /** Whether the person would lose something now. */
  isNeeded: () => boolean
  /** Asks the person. Returns true if they leave. */
  ask: () => Promise<boolean>
}

const guards: Guard[] = []

/** Guards the content of a component while it is mounted. */
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

/** Returns whether the person would lose something by leaving the page. */
export const isGuarded = (): boolean => guards.some(({ isNeeded }) => isNeeded())

/**
 * Asks the person about everything that they would lose, the uppermost dialog first. Returns true if they leave. During a
 * question an answer may arrive, and open a dialog with a secret: that dialog asks, too.
 */
export async function mayLeave(): Promise<boolean> {
  const asked = new Set<Guard>()
  const next = () => guards.findLast((guard) => !asked.has(guard) && guard.isNeeded())
  for (let guard = next(); guard; guard = next()) {
    asked.add(guard)
    if (!(await guard.ask())) return false
  }
  return true
}

/** Removes all guards of the page, so that the person can leave it without a question. */
export const dropGuards = (): void => void guards.splice(0)
