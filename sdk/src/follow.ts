import { ConfigurationError, CrosswalkError } from './errors.ts'
import type { EventFeed, ReadEventFeedQuery, WebhookEvent } from './generated/types.ts'
import type { CallOptions } from './options.ts'
import { isTemporary, waitBefore } from './retry.ts'
import { pause } from './timeout.ts'
import { failureOf } from './transport.ts'

export type FollowOptions = Pick<ReadEventFeedQuery, 'types' | 'include' | 'limit'> & {
  /** The `cursor` of the last event that you handled. By default, the loop begins with the next change. */
  cursor?: string | undefined
  /** Aborting it ends the loop without an error. */
  signal?: AbortSignal | undefined
}

/**
 * An event, with the cursor to save after you have handled it. A loop that begins there repeats one page at most. Its
 * type decides the type of `data.object`.
 */
export type FollowedEvent = WebhookEvent & { cursor: string }

type Feed = (query: ReadEventFeedQuery, options: CallOptions) => PromiseLike<EventFeed>

/** The longest wait of a request for an event. */
const waitSeconds = 25
const timeoutMs = 60_000
/** The shortest time between two requests without an event. */
const pauseMs = 500

/**
 * Yields all events after a cursor, and waits for more. Failed requests are repeated forever: after a broken
 * connection, a restart of the server, a rate limit. Ends when `signal` is aborted.
 * @throws CrosswalkError for a permanent failure, such as a revoked API key
 */
export async function* follow(
  feed: Feed,
  { cursor: begin, signal = new AbortController().signal, ...query }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  const read = (more: ReadEventFeedQuery) => readUntilAnswered(feed, { ...query, ...more }, signal)
  let page = begin === undefined ? await read({}) : { events: [], cursor: begin }
  while (page) {
    const { cursor } = page
    const askedAt = performance.now()
    page = await read({ cursor, wait_seconds: waitSeconds })
    if (!page) return
    // Pause: a server that answers without waiting for an event would otherwise get one request after another.
    const restMs = askedAt + pauseMs - performance.now()
    if (page.events.length === 0 && restMs > 0) await pause(restMs, signal).catch(() => {})
    const { events, cursor: end } = page
    // Only a whole page has a cursor. So every event except the last one gets the cursor before the page.
    for (const [index, event] of events.entries()) {
      if (signal.aborted) return
      yield { ...event, cursor: index === events.length - 1 ? end : cursor } as FollowedEvent
    }
  }
}

/** Returns null if `signal` was aborted. */
async function readUntilAnswered(
  feed: Feed,
  query: ReadEventFeedQuery,
  signal: AbortSignal,
): Promise<EventFeed | null> {
  for (let failures = 0; ; failures++) {
    try {
      signal.throwIfAborted()
      return await feed(query, { signal, timeoutMs })
    } catch (error) {
      if (signal.aborted) return null
      if (!(error instanceof CrosswalkError) || error instanceof ConfigurationError) throw error
      const failure = failureOf(error)
      if (!isTemporary(failure)) throw error
      await pause(waitBefore(failures, failure), signal).catch(() => {})
    }
  }
}
