import { ConfigurationError, ConnectionError, type CrosswalkError, TimeoutError } from './errors.ts'
import type { OnTrackError } from './options.ts'
import { isTemporary, waitBefore } from './retry.ts'
import { startTimer } from './timeout.ts'
import { failureOf, newKey, type Transport } from './transport.ts'

/** An event that your server reports. It needs a `userId` or an `anonymousId`. */
export type TrackedEvent = {
  properties?: Record<string, unknown> | undefined
  /** The circumstances of the event, such as `{ page: { path: '/pricing' } }`. */
  context?: Record<string, unknown> | undefined
  /** When the event happened; by default now. */
  timestamp?: Date | string | undefined
  /** Events with the same id and day are stored once. By default each event gets a random id. */
  messageId?: string | undefined
} & ({ userId: string; anonymousId?: string | undefined } | { anonymousId: string; userId?: undefined })

export type FlushOptions = {
  /** The longest wait in milliseconds; by default 30,000. */
  deadlineMs?: number | undefined
}

/** Reports events to `/tracking/events`. */
export type Track = {
  /**
   * Queues an event, and returns at once. Events are sent at 20 events or after 5 s, and repeated until they are stored.
   * @throws ConfigurationError without a name or an id, and after `close()`
   */
  (name: string, event: TrackedEvent): void
  /** Sends all queued events. @throws TimeoutError if they are not stored in time; they stay in the queue */
  flush(options?: FlushOptions): Promise<void>
  /** Sends all queued events, and refuses later events. Call it before your program exits. @throws TimeoutError */
  close(options?: FlushOptions): Promise<void>
}

const [flushEvents, flushMs] = [20, 5_000]
const waitingMax = 10_000
/** The limit of one request. A character has up to three bytes, and the server accepts 1 MiB. */
const [eventsMax, charactersMax] = [250, 300_000]
/** How long a program that has nothing else to do waits for its last events. */
const exitMs = 10_000

type Listen = (event: string, listener: () => void) => void
const program = (globalThis as { process?: { on?: Listen; off?: Listen } }).process

/** Node.js does not wait for this timer before it exits: `beforeExit` sends the last events. */
function later(run: () => void, ms: number): unknown {
  const timer: unknown = setTimeout(run, ms)
  ;(timer as { unref?: () => void }).unref?.()
  return timer
}

/** @param transport sends to the paths of events; null: the client cannot report events */
export function trackOf(transport: Transport | null, onError: OnTrackError = () => {}): Track {
  /** Stored as JSON, so that later changes of an object do not change its event. */
  const waiting: string[] = []
  let timer: unknown
  let sending: Promise<void> | null = null
  let isClosed = false

  function track(name: string, said: TrackedEvent): void {
    const { timestamp = new Date(), messageId = newKey(), ...event } = Object(said) as TrackedEvent
    if (!transport)
      throw new ConfigurationError('track() needs a client with an API key, and without forOrg().')
    if (isClosed) throw new ConfigurationError('track() was called after track.close().')
    if (!name || !(event.userId || event.anonymousId))
      throw new ConfigurationError('track() needs a name, and userId or anonymousId.')
    const json = JSON.stringify({ type: 'track', event: name, ...event, timestamp, messageId })
    if (waiting.length < waitingMax) waiting.push(json)
    else onError(new ConnectionError(`${waitingMax} events already wait: this event is lost.`), 1)
    if (waiting.length === 1) program?.on?.('beforeExit', lastFlush)
    if (waiting.length >= flushEvents) void send()
    else timer ??= later(send, flushMs)
  }

  function send(): Promise<void> {
    clearTimeout(timer as number)
    timer = undefined
    sending ??= sendAll().finally(() => {
      sending = null
    })
    return sending
  }

  async function sendAll(): Promise<void> {
    for (let faults = 0; waiting.length > 0; ) {
      const batch = nextBatch(waiting)
      const error = await post(batch)
      const failure = error && failureOf(error)
      if (failure && isTemporary(failure))
        await new Promise<void>((resolve) => later(resolve, waitBefore(faults++, failure)))
      else {
        faults = 0
        waiting.splice(0, batch.length)
        if (error) onError(error, batch.length)
      }
    }
    program?.off?.('beforeExit', lastFlush)
  }

  /** Returns the error of a failed request; undefined: the events are stored. */
  function post(batch: readonly string[]): Promise<CrosswalkError | undefined> | undefined {
    const body = new Blob([`{"sentAt":${JSON.stringify(new Date())},"batch":[${batch}]}`], {
      type: 'application/json',
    })
    const asked = { method: 'POST', path: '/batch', shape: 'plain', query: undefined, body }
    return transport?.send({ ...asked, options: { maxRetries: 0, timeoutMs: 30_000 } }).then(
      () => undefined,
      (error) => error,
    )
  }

  async function flush({ deadlineMs = 30_000 }: FlushOptions = {}): Promise<void> {
    let deadline: unknown
    const late = new Promise<never>((_, reject) => {
      const text = () => `${waiting.length} events still wait after ${deadlineMs} ms (deadlineMs).`
      deadline = startTimer(() => reject(new TimeoutError(text())), deadlineMs)
    })
    await Promise.race([send(), late]).finally(() => clearTimeout(deadline as number))
  }

  function lastFlush(): void {
    program?.off?.('beforeExit', lastFlush)
    flush({ deadlineMs: exitMs }).catch((error) => onError(error, waiting.length))
  }

  return Object.assign(track, {
    flush,
    close(options?: FlushOptions) {
      isClosed = true
      return flush(options)
    },
  })
}

/** Returns the first waiting events, as many as fit into one request. */
function nextBatch(waiting: readonly string[]): string[] {
  let characters = 0
  const end = waiting.findIndex((event, at) => {
    characters += event.length
    return at > 0 && (at >= eventsMax || characters > charactersMax)
  })
  return end < 0 ? [...waiting] : waiting.slice(0, end)
}
