import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/**
 * Asks until it is told `expected`, which it has to be by whatever it asks later than `ms` from now. How long an answer
 * takes, and how often it can be asked for meanwhile, is not what it is about: a busy machine may take long for both.
 */
export async function expectWithin<Told>(
  ms: number,
  ask: () => Told | Promise<Told>,
  expected: NoInfer<Told>,
): Promise<void> {
  const from = performance.now()
  for (;;) {
    const askedAt = performance.now()
    const told = await ask()
    if (isDeepStrictEqual(told, expected)) return
    if (askedAt - from > ms) return expect(told, `later than after ${ms} ms`).toEqual(expected)
    await delay(5)
  }
}
