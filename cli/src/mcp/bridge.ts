import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { headersFor, type Message, messagesIn } from './wire.ts'

/** Sends one message to the tool server. */
export type Post = (body: string, headers: Record<string, string>, signal: AbortSignal) => Promise<Response>

/**
 * Passes JSON-RPC messages, one on each line, to the tool server, and its answers back. Messages run at the same time.
 * Ends when the input ends and all answers are written, or when `signal` is aborted.
 */
export async function bridge(
  input: Readable,
  write: (line: string) => unknown,
  post: Post,
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<string, AbortController>()
  const open = new Set<Promise<void>>()
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal })) {
    if (line.trim() === '') continue
    const message = parsed(line)
    if (message === null) {
      write(failure(null, -32700, 'The line is not a JSON-RPC message'))
      continue
    }
    if (message.method === 'notifications/cancelled') {
      running.get(keyOf(message.params?.requestId))?.abort()
      continue
    }
    const key = keyOf(message.id)
    const stop = new AbortController()
    if (message.id !== undefined) running.set(key, stop)
    const work = pass(line, message, write, post, stop.signal).finally(() => {
      if (running.get(key) === stop) running.delete(key)
      open.delete(work)
    })
    open.add(work)
  }
  await Promise.all(open)
}

const keyOf = (id: unknown): string => JSON.stringify(id) ?? ''

async function pass(
  line: string,
  message: Message,
  write: (line: string) => unknown,
  post: Post,
  signal: AbortSignal,
): Promise<void> {
  try {
    const answer = await post(line, headersFor(message), signal)
    const text = await answer.text()
    const messages = messagesIn(answer.headers.get('content-type') ?? '', text)
    for (const one of messages) write(JSON.stringify(one))
    if (message.id === undefined || messages.length > 0) return
    write(failure(message.id, answer.status === 401 ? -32001 : -32603, refusalText(answer.status, text)))
  } catch (error) {
    // The host has canceled the request, and does not wait for an answer.
    if (signal.aborted) return
    if (message.id !== undefined) write(failure(message.id, -32603, (error as Error).message))
  }
}

function parsed(line: string): Message | null {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Message)
      : null
  } catch {
    return null
  }
}

const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })

/** Returns the detail of an error answer of the API. Such an answer is not a JSON-RPC message. */
function refusalText(status: number, text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string') return `${detail} (${status})`
  } catch {
    // A proxy may answer with HTML.
  }
  return `Crosswalk answered ${status}`
}
