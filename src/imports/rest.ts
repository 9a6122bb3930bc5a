import { setTimeout as delay } from 'node:timers/promises'
import { recentRequests } from '../platform/recent-requests.ts'

/** A process serves others if one of their requests arrived in the last 250 ms. */
const servingMs = 250
/** The longest rest after a lot, in milliseconds. An import always continues after it. */
const restMsMax = 500

/** Whether this process also serves other organizations now. They share its thread and PostgreSQL with the import. */
export const servesOthers = (orgId: string): boolean => recentRequests.msSinceOthers(orgId) < servingMs

/**
 * Rests as long as the last lot took, at most half a second.
 * @throws the reason of the signal
 */
export async function rest(lotMs: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(Math.min(lotMs, restMsMax), undefined, signal && { signal }).catch(() => {})
  signal?.throwIfAborted()
}
