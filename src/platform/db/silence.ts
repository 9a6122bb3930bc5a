import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { ClientBase, PoolClient } from 'pg'
import { busyMs, wasBusy } from '../busy-thread.ts'

type Connection = { pending: number; sinceMs: number; answeredMs: number; suspected: boolean }

const connections = new WeakMap<PoolClient, Connection>()

function connectionOf(client: PoolClient): Connection {
  const now = performance.now()
  const known = connections.get(client) ?? { pending: 0, sinceMs: now, answeredMs: now, suspected: false }
  connections.set(client, known)
  return known
}

/** Returns `answer`. Until it resolves, the connection of `client` counts as waiting for an answer. */
export async function trackPending<Answer>(client: PoolClient, answer: Promise<Answer>): Promise<Answer> {
  const connection = connectionOf(client)
  if (connection.pending++ === 0) connection.sinceMs = performance.now()
  try {
    return await answer
  } finally {
    connection.pending--
    connection.sinceMs = connection.answeredMs = performance.now()
    connection.suspected = false
  }
}

/**
 * Breaks connections of `clients` that wait for an answer for `limitMs`: a server that hangs would block them
 * forever. If no other connection to the same server was answered since then, all of them break, so that the next
 * statement does not wait on one of them again. Returns a function that stops the checks. (pg's `query_timeout` would
 * make a single read 20 % slower in Node.)
 */
export function breakSilentConnections(clients: ReadonlySet<PoolClient>, limitMs: number): () => void {
  let busyBefore = busyMs()
  const timer = setInterval(() => {
    const now = performance.now()
    const sinceMs = now - limitMs
    const busy = wasBusy(busyBefore) ? busyMs() - busyBefore : 0
    busyBefore = busyMs()
    for (const client of clients) {
      const connection = connectionOf(client)
      if (connection.pending === 0) continue
      // Do not count the time in which this process was too busy to read answers.
      connection.sinceMs = Math.min(now, connection.sinceMs + busy)
      if (connection.sinceMs > sinceMs) continue
      // Break the connection only at the second check: at the first, its answer may have arrived unread.
      if (connection.suspected) void breakAll(silentWith(client, clients))
      connection.suspected = true
    }
  }, limitMs / 10)
  timer.unref()
  return () => clearInterval(timer)
}

/** Returns all connections to the server of `client` if none was answered since `client` waits, otherwise only `client`. */
function silentWith(client: PoolClient, clients: ReadonlySet<PoolClient>): PoolClient[] {
  const { sinceMs } = connectionOf(client)
  const server = serverOf(client)
  const toServer = [...clients].filter((other) => serverOf(other) === server)
  return toServer.every((other) => connectionOf(other).answeredMs <= sinceMs) ? toServer : [client]
}

/** Breaks the idle ones first: a failed statement may be tried again at once, and the pool must not lend one of them. */
async function breakAll(clients: readonly PoolClient[]): Promise<void> {
  const idle = clients.filter((client) => connectionOf(client).pending === 0 && !streamOf(client).destroyed)
  await Promise.all(idle.map((client) => once(streamOf(client).destroy(), 'close')))
  for (const client of clients) streamOf(client).destroy()
}

function serverOf(client: PoolClient): string {
  const { remoteAddress, remotePort } = streamOf(client)
  return `${remoteAddress} ${remotePort}`
}

/** Do not call `end()`, which waits for all statements that a pipelining client has sent. */
export function streamOf(client: ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
