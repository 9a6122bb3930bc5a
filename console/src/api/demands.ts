import { useSyncExternalStore } from 'react'

/** What a person must do before a request can continue: sign in again, or confirm their identity. */
export type Demand = { kind: 'sign-in' } | { kind: 'confirm'; ways: readonly string[] }

type Waiting = { demand: Demand; promise: Promise<boolean>; settle: (met: boolean) => void }

let waiting: Waiting | null = null
const listeners = new Set<() => void>()

function change(next: Waiting | null): void {
  waiting = next
  for (const listener of listeners) listener()
}

/**
 * Shows the demand. Resolves to true when the person has met it. While a demand is on the screen, other requests wait for
 * it too, and are then sent again.
 */
export function showDemand(demand: Demand): Promise<boolean> {
  if (waiting) return waiting.promise
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const settle = (met: boolean) => {
    // A late answer to an earlier dialog must not close the next one: its request would wait forever.
    if (waiting?.promise === promise) change(null)
    resolve(met)
  }
  change({ demand, promise, settle })
  return promise
}

/** The demand on the screen, with the function that ends it. */
export function useDemand(): { demand: Demand; settle: (met: boolean) => void } | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting,
  )
}
