import type { Socket } from 'node:net'
import type { ClientBase, PoolClient } from 'pg'
import { busyMs, wasBusy } from '../busy-thread.ts'

type PendingAnswers = { answers: number; sinceMs: number; suspected: boolean }

const pendingByClient = new WeakMap<PoolClient, PendingAnswers>()

/** Returns `answer`. Until it resolves, the connection of `client` counts as waiting for an answer. */
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
 * Breaks connections of `clients` that wait for an answer for `limitMs`: a server that hangs would block them
 * forever. Returns a function that stops the checks. (pg's `query_timeout` would make a single read 20 % slower in
 * Node.)
 */
export function breakSilentConnections(clients: ReadonlySet<PoolClient>, limitMs: number): () => void {
  let busyBefore = busyMs()
  const timer = setInterval(() => {
    const now = performance.now()
    const sinceMs = now - limitMs
    const busy = wasBusy(busyBefore) ? busyMs() - busyBefore : 0
    busyBefore = busyMs()
    for (const client of clients) {
      const pending = pendingByClient.get(client)
      if (!pending || pending.answers === 0) continue
      // Do not count the time in which this process was too busy to read answers.
      pending.sinceMs = Math.min(now, pending.sinceMs + busy)
      if (pending.sinceMs > sinceMs) continue
      // Break the connection only at the second check: at the first, its answer may have arrived unread.
      if (pending.suspected) streamOf(client).destroy()
      pending.suspected = true
    }
  }, limitMs / 10)
  timer.unref()
  return () => clearInterval(timer)
}

/** Do not call `end()`, which waits for all statements that a pipelining client has sent. */
export function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
