import { setTimeout as delay } from 'node:timers/promises'
import { recentRequests } from '../recent-requests.ts'

/** A process serves others if one of their requests arrived in the last 250 ms. */
const servingMs = 250
/** The longest rest after a step, in milliseconds. A job always continues after it. */
const restMsMax = 500

/** Whether this process also serves other organizations now. They share its thread and PostgreSQL with the job. */
export const servesOthers = (orgId: string): boolean => recentRequests.msSinceOthers(orgId) < servingMs

/**
 * Rests as long as the last step of a job took, at most half a second.
 * @throws the reason of the signal
 */
export async function rest(stepMs: number, signal?: AbortSignal): Promise<void> {
  await delay(Math.min(stepMs, restMsMax), undefined, signal && { signal }).catch(() => {})
  signal?.throwIfAborted()
}
