import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { busyMs, wasBusy } from '../busy-thread.ts'

type PendingAnswers = { answers: number; sinceMs: number; suspected: boolean }

const pendingByClient = new WeakMap<PoolClient, PendingAnswers>()

/** Settles as `answer` does, and counts it until then as one that the connection of `client` waits for. */
export async function trackPending<Answer>(client: PoolClient, answer: Promise<Answer>): Promise<Answer> {
  let pending = pendingByClient.get(client)
  if (!pending) {
    pending = { answers: 0, sinceMs: 0, suspected: false }
    pendingByClient.set(client, pending)
  }
  if (pending.answers++ === 0) pending.sinceMs = performance.now()
  try {
    return await answer
  } finally {
    pending.answers--
    pending.sinceMs = performance.now()
    pending.suspected = false
  }
}

/**
 * Breaks connections of `clients` that have waited for an answer for `limitMs`: a server that hangs, or a network
 * that drops packets, ends no statement by itself. Returns how to stop. (pg's `query_timeout` does the same with a
 * timer for each statement, which costs a single read a fifth more of Node's time.)
 */
export function endSilence(clients: ReadonlySet<PoolClient>, limitMs: number): () => void {
  let busyBefore = busyMs()
  const timer = setInterval(() => {
    const now = performance.now()
    const sinceMs = now - limitMs
    const busy = wasBusy(busyBefore) ? busyMs() - busyBefore : 0
    busyBefore = busyMs()
    for (const client of clients) {
      const pending = pendingByClient.get(client)
      if (!pending || pending.answers === 0) continue
      // Time in which this process read no answers is not the server's.
      pending.sinceMs = Math.min(now, pending.sinceMs + busy)
      if (pending.sinceMs > sinceMs) continue
      // Only at the second look: this process may have been too busy to read an answer that is there.
      if (pending.suspected) streamOf(client).destroy()
      pending.suspected = true
    }
  }, limitMs / 10)
  timer.unref()
  return () => clearInterval(timer)
}

/** `end()` would wait for the statements that a pipelining client has sent. */
export function streamOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
