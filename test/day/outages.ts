import { setTimeout as delay } from 'node:timers/promises'
import { oneOf } from './dice.ts'
import type { Installation } from './installation.ts'
import type { Requests } from './requests.ts'

/**
 * Once a minute, kills a process with SIGKILL and restarts the database. Sometimes kills Redis, or stops a process
 * with SIGTERM. In the second half, the second API server is left alone, because its memory is measured.
 */
export async function injectOutages(
  day: Installation,
  requests: Requests,
  minutes: number,
  signal: AbortSignal,
): Promise<void> {
  const rounds = Math.max(1, Math.round(minutes))
  const roundMs = (minutes * 60_000) / rounds
  const pause = (share: number) => delay(roundMs * share, undefined, { signal })
  const inFlight = (name: 'api-1' | 'api-2') => () => requests.inFlight(day.addressOf(name)!)
  try {
    for (let round = 0; round < rounds; round++) {
      const isFirstHalf = round < rounds / 2
      await pause(0.15 + Math.random() * 0.1)
      await day.restart(oneOf(isFirstHalf ? ['api-1', 'api-2', 'worker'] : ['api-1', 'worker']), 'SIGKILL')
      await pause(0.2)
      await day.restartDatabase(round % 4 === 2 ? 'fast' : 'immediate')
      await pause(0.2)
      if (day.redis && round % 2 === 0) await day.restartRedis()
      if (round % 2 === 1 || rounds === 1) {
        await untilBusy(inFlight('api-1'))
        await day.restart('api-1', 'SIGTERM', inFlight('api-1'))
      }
      if (round % 4 === 3) await day.restart('worker', 'SIGTERM')
      await pause(0.1)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function untilBusy(inFlight: () => number): Promise<void> {
  const until = Date.now() + 5_000
  while (inFlight() < 3 && Date.now() < until) await delay(1)
}
