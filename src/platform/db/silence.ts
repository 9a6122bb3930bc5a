import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { ClientBase, PoolClient } from 'pg'
import { busyMs, wasBusy } from '../busy-thread.ts'

type Connection = {
  /** The number of answers that it waits for. */
  pending: number
  /** When it began to wait. */
  sinceMs: number
  /** How long this process was too busy to read answers since then. */
  busyMs: number
  answeredMs: number
  suspected: boolean
}

const connections = new WeakMap<PoolClient, Connection>()

function connectionOf(client: PoolClient): Connection {
  const now = performance.now()
  const known = connections.get(client)
  if (known) return known
  const created = { pending: 0, sinceMs: now, busyMs: 0, answeredMs: now, suspected: false }
  connections.set(client, created)
  return created
}

/** Returns `answer`. Until it resolves, the connection of `client` counts as waiting for an answer. */
export async function trackPending<Answer>(client: PoolClient, answer: Promise<Answer>): Promise<Answer> {
  const connection = connectionOf(client)
  if (connection.pending++ === 0) beginWait(connection)
  try {
    return await answer
  } finally {
    connection.pending--
    beginWait(connection)
    connection.answeredMs = connection.sinceMs
  }
}

function beginWait(connection: Connection): void {
  connection.sinceMs = performance.now()
  connection.busyMs = 0
  connection.suspected = false
}

const waitedMs = ({ pending, sinceMs, busyMs }: Connection): number =>
  pending === 0 ? 0 : performance.now() - sinceMs - busyMs

/**
 * Breaks connections of `clients` that wait for an answer for `limitMs`: a server that hangs would block them
 * forever. If no other connection to the same server was answered since then, all of them break, so that the next
 * statement does not wait on one of them again. Returns a function that stops the checks. (pg's `query_timeout` would
 * make a single read 20 % slower in Node.)
 */
export function breakSilentConnections(clients: ReadonlySet<PoolClient>, limitMs: number): () => void {
  const everyMs = limitMs / 10
  let busyBefore = busyMs()
  const timer = setInterval(() => {
    const busy = wasBusy(busyBefore) ? busyMs() - busyBefore : 0
    busyBefore = busyMs()
    for (const client of clients) {
      const connection = connectionOf(client)
      // Do not count the time in which this process was too busy to read answers.
      connection.busyMs += Math.min(busy, Math.max(0, waitedMs(connection)))
      if (waitedMs(connection) < limitMs) continue
      // Break the connection only at the second check: at the first, its answer may have arrived unread.
      if (connection.suspected) void breakAll(silentWith(client, clients, everyMs))
      connection.suspected = true
    }
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Returns all connections to the server of `client` if none was answered since `client` waits, otherwise only `client`.
 * @param answerMs a statement that waits for less may still be answered: its connection is left out
 */
function silentWith(
  client: PoolClient,
  clients: ReadonlySet<PoolClient>,
  answerMs: number,
): readonly PoolClient[] {
  const { sinceMs } = connectionOf(client)
  const server = serverOf(client)
  const toServer = [...clients].filter((other) => serverOf(other) === server)
  if (toServer.some((other) => connectionOf(other).answeredMs > sinceMs)) return [client]
  const mayBeAnswered = (other: Connection) => other.pending > 0 && waitedMs(other) < answerMs
  return toServer.filter((other) => !mayBeAnswered(connectionOf(other)))
}

/**
 * Breaks the idle connections first: a statement that fails may be tried again at once, and the pool must not lend it a
 * silent connection.
 */
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

/** Whether the connection can take statements. pg notes an error of the server before the stream ends. */
export const isOpen = (client: ClientBase): boolean =>
  !streamOf(client).destroyed && (client as unknown as { _queryable: boolean })._queryable
