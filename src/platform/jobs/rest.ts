import { setTimeout as delay } from 'node:timers/promises'

/** The longest rest after a step, in milliseconds. A job always continues after it. */
const restMsMax = 500

/** Rests as long as the last step of a job took, at most half a second, or until the signal fires. */
export async function rest(stepMs: number, signal?: AbortSignal): Promise<void> {
  await delay(Math.min(stepMs, restMsMax), undefined, signal && { signal }).catch(() => {})
}
