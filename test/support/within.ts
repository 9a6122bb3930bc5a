import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/** Repeats a request, with pauses that grow to 100 ms. Each request that is sent after `ms` must get `expected`; its answer may take any time. */
export async function expectWithin<Told>(
  ms: number,
  ask: () => Told | Promise<Told>,
  expected: NoInfer<Told>,
): Promise<void> {
  const from = performance.now()
  for (let pause = 5; ; pause = Math.min(100, pause * 1.5)) {
    const askedAt = performance.now()
    const told = await ask()
    if (isDeepStrictEqual(told, expected)) return
    if (askedAt - from > ms) return expect(told, `later than after ${ms} ms`).toEqual(expected)
    await delay(pause)
  }
}
