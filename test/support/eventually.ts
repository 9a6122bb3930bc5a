import { setTimeout as delay } from 'node:timers/promises'
import { patience } from './patience.ts'

const longestPauseMs = 250

/**
 * Repeats `check` until it does not throw, and returns its result. The pauses grow from 10 to 250 ms, so that a long wait
 * leaves the processor to other tests. For a state that passes again, use `vi.waitFor`.
 * @throws the last error after `timeout` ms
 */
export async function eventually<Value>(
  check: () => Value | Promise<Value>,
  timeout: number = patience.timeout,
): Promise<Value> {
  const deadline = performance.now() + timeout
  for (let pause = 10; ; pause = Math.min(longestPauseMs, pause * 1.5)) {
    const askedAt = performance.now()
    try {
      return await check()
    } catch (error) {
      if (askedAt > deadline) throw error
    }
    await delay(pause)
  }
}
