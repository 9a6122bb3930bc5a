import { partOf, waiting, waitingOfThisTab } from './queue.ts'
import { prefix, read, remove, write } from './storage.ts'
import { warn } from './warn.ts'

export type Receiver = {
  /** The address of the requests. */
  url: string
  key: string
  /** More headers of each request. */
  headers: () => Record<string, string>
  credentials: RequestCredentials
}

const intervalMs = 5_000
const eventsAtOnce = 20
const timeoutMs = 30_000
const retryMaxMs = 60_000
const retryAfterMaxMs = 3_600_000
/** The time until which the server accepts no request. All tabs and later pages wait. */
const waitName = `${prefix}wait`

let receiver: Receiver
let timer: ReturnType<typeof setTimeout> | undefined
let failures = 0
/** The time until which this tab waits after a failure of the network. */
let pausedUntil = 0
const inFlight = new Set<string>()
/** Releases the lock of the tab that sends. */
let unlock: (() => void) | null = null

/** Starts to send the waiting events, including those of earlier pages. */
export function startSending(to: Receiver): void {
  receiver = to
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') sendOwn()
  })
  addEventListener('pagehide', () => {
    sendOwn()
    unlock?.()
  })
  addEventListener('online', () => {
    pausedUntil = 0
    schedule(0)
  })
  schedule()
}

/** @param count the number of waiting events of this tab */
export function sendSoon(count: number): void {
  if (count >= eventsAtOnce) schedule(0)
  else if (timer === undefined) schedule()
}

function schedule(ms = intervalMs): void {
  clearTimeout(timer)
  timer = setTimeout(flush, Math.max(ms, waitMs()))
}

/** The milliseconds until the next request; 0 or less: it may be sent. */
const waitMs = () => Math.max(serverWaitMs(), pausedUntil - Date.now())

/**
 * The milliseconds until the server accepts a request. The wait is limited: a clock that was set back must not stop the
 * queue.
 */
function serverWaitMs(): number {
  const ms = Number(read(waitName)) - Date.now()
  return ms > retryAfterMaxMs ? 0 : ms
}

/** Sends the waiting events, unless another tab of the origin is sending. */
async function flush(): Promise<void> {
  timer = undefined
  if (waiting().length === 0) return
  // A page with a lock cannot return from the back/forward cache, so the lock ends when the page hides.
  try {
    await navigator.locks.request(`${prefix}send`, { ifAvailable: true }, async (lock) => {
      const hides = new Promise<void>((resolve) => {
        if (lock) unlock = resolve
      })
      if (lock) await Promise.race([sendAll(), hides])
    })
  } catch {
    // Pages without TLS, and some frames, have no locks.
    await sendAll()
  }
  if (waiting().length > 0) schedule(waitMs() > 0 ? 0 : intervalMs)
}

async function sendAll(): Promise<void> {
  for (;;) {
    const part = partOf(waiting().filter((name) => !inFlight.has(name)))
    if (part.names.length === 0 || serverWaitMs() > 0 || !(await post(part))) return
  }
}

/** Sends the events of this tab with requests that outlive the page. They stay stored until they are answered. */
function sendOwn(): void {
  for (;;) {
    const part = partOf(waitingOfThisTab().filter((name) => !inFlight.has(name)))
    if (part.names.length === 0 || serverWaitMs() > 0) return
    if ('keepalive' in Request.prototype) void post(part)
    else if (navigator.sendBeacon(receiver.url, bodyOf(part.events))) part.names.forEach(remove)
    else return
  }
}

function bodyOf(events: string): string {
  const rest = { writeKey: receiver.key, sentAt: new Date().toISOString() }
  return `${JSON.stringify(rest).slice(0, -1)},"batch":${events}}`
}

/** Sends a part of the queue. Returns true if the next part may follow. */
async function post({ names, events }: { names: string[]; events: string }): Promise<boolean> {
  for (const name of names) inFlight.add(name)
  let isDone = false
  try {
    const answer = await fetch(receiver.url, {
      method: 'POST',
      // Text has a content type that needs no preflight.
      body: bodyOf(events),
      headers: receiver.headers(),
      keepalive: true,
      credentials: receiver.credentials,
      signal: AbortSignal.timeout?.(timeoutMs) ?? null,
    })
    // Read the answer: until then the request counts as in flight, and the browser refuses requests beyond 64 KiB.
    await answer.text()
    isDone = accept(answer)
  } catch {
    pausedUntil = Date.now() + retryMs()
  }
  for (const name of names) {
    inFlight.delete(name)
    if (isDone) remove(name)
  }
  return isDone
}

/** Returns true if the request needs no retry. */
function accept({ ok, status, headers }: Response): boolean {
  if (status === 429 || status >= 500) {
    const seconds = Number(headers.get('retry-after'))
    write(waitName, String(Date.now() + Math.min(seconds * 1000 || retryMs(), retryAfterMaxMs)))
    return false
  }
  failures = 0
  remove(waitName)
  if (!ok) warn(`${status}: check the write key and its origins`)
  return true
}

/** 1 s to 60 s, doubled with each failure. The random part keeps visitors apart after an outage. */
const retryMs = () => Math.min(1_000 * 2 ** failures++, retryMaxMs) * (1 + Math.random() / 4)
