import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { busyMs, wasBusy } from '../busy-thread.ts'

type Owed = { answers: number; sinceMs: number; suspected: boolean }

const owedBy = new WeakMap<PoolClient, Owed>()

/** Resolves as `answer` does, and meanwhile counts as an answer that the connection of `client` owes. */
export async function owed<Answer>(client: PoolClient, answer: Promise<Answer>): Promise<Answer> {
  let debt = owedBy.get(client)
  if (!debt) {
    debt = { answers: 0, sinceMs: 0, suspected: false }
    owedBy.set(client, debt)
  }
  if (debt.answers++ === 0) debt.sinceMs = performance.now()
  try {
    return await answer
  } finally {
    debt.answers--
    debt.sinceMs = performance.now()
    debt.suspected = false
  }
}

/**
 * Breaks those connections of `clients` that have owed an answer for `limitMs`: a server that hangs, or a network
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
      const debt = owedBy.get(client)
      if (!debt || debt.answers === 0) continue
      // Time in which this process read no answers is not the server's.
      debt.sinceMs = Math.min(now, debt.sinceMs + busy)
      if (debt.sinceMs > sinceMs) continue
      // Only at the second look: this process may have been too busy to read an answer that is there.
      if (debt.suspected) streamOf(client).destroy()
      debt.suspected = true
    }
  }, limitMs / 10)
  timer.unref()
  return () => clearInterval(timer)
}

/** `end()` would wait for the statements that a pipelining client has sent. */
export function streamOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
