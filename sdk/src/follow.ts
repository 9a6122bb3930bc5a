import { ApiError, ConfigurationError, CrosswalkError } from './errors.ts'
import type { EventFeed, EventMessage, ReadEventFeedQuery } from './generated/types.ts'
import type { CallOptions } from './options.ts'
import { isPassing, waitBefore } from './retry.ts'
import { pause } from './timeout.ts'

export type FollowOptions = Pick<ReadEventFeedQuery, 'types' | 'include' | 'limit'> & {
  /** The `cursor` of the last event that you handled. Without it, the first event is the next change. */
  cursor?: string | undefined
  /** Ends the loop, without an error. */
  signal?: AbortSignal | undefined
}

/** An event, and the cursor to save once you have handled it. A loop that begins there repeats at most one page. */
export type FollowedEvent = EventMessage & { cursor: string }

type Feed = (query: ReadEventFeedQuery, options: CallOptions) => PromiseLike<EventFeed>

/** The longest wait of a request for an event. */
const waitSeconds = 25
const timeoutMs = 60_000

/**
 * Yields every event after a cursor, and waits for the next ones. It repeats requests that fail without end: a broken
 * connection, a restart of the server, a rate limit. It ends when `signal` is aborted.
 * @throws CrosswalkError for a failure that lasts, such as an API key that was revoked
 */
export async function* follow(
  feed: Feed,
  { cursor: begin, signal = new AbortController().signal, ...query }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  const read = (more: ReadEventFeedQuery) => readUntilAnswered(feed, { ...query, ...more }, signal)
  let page = begin === undefined ? await read({}) : { events: [], cursor: begin }
  while (page) {
    const { cursor } = page
    page = await read({ cursor, wait_seconds: waitSeconds })
    if (!page) return
    const { events, cursor: end } = page
    // The server has one cursor for a page. Until its last event, the cursor before the page is the safe one.
    for (const [index, event] of events.entries()) {
      if (signal.aborted) return
      yield { ...event, cursor: index === events.length - 1 ? end : cursor }
    }
  }
}

/** Null: `signal` was aborted. */
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
      const failure = error instanceof ApiError ? error : { status: null, code: null, retryAfter: null }
      if (!isPassing(failure)) throw error
      await pause(waitBefore(failures, failure), signal).catch(() => {})
    }
  }
}
