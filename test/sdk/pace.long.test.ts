import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Pace } from '../../sdk/src/pace.ts'
import { rateLimitHeaders } from '../../src/platform/rate-limit/headers.ts'
import { MemoryStore } from '../../src/platform/rate-limit/memory-store.ts'
import type { Ceilings } from '../../src/platform/rate-limit/rate-limit.ts'

// Time is virtual in this file, so minutes pass at once.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
afterEach(() => vi.useRealTimers())

// Use a signal for each request: a shared one would compare each listener with all others.
const never = () => new AbortController().signal
const published = { perSecond: 50, perMinute: 1000 }

/** The server's rate limiter, behind a network of varying latency. */
class Server {
  readonly #store = new MemoryStore({
    clock: { monotonicMs: () => performance.now(), epochMs: () => Date.now() },
  })
  readonly #ceilings: Ceilings
  readonly #latencyMs: () => number
  accepted = 0
  refused = 0
  mostAtOnce = 0
  #atOnce = 0

  constructor(ceilings: Ceilings, latencyMs = () => 5 + 10 * Math.random()) {
    this.#ceilings = ceilings
    this.#latencyMs = latencyMs
  }

  async answer(): Promise<Response> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce)
    await new Promise((resolve) => setTimeout(resolve, this.#latencyMs()))
    const decision = this.#store.take('org', this.#ceilings)
    await new Promise((resolve) => setTimeout(resolve, this.#latencyMs()))
    this.#atOnce--
    if (decision.allowed) this.accepted++
    else this.refused++
    return new Response(null, { status: decision.allowed ? 201 : 429, headers: rateLimitHeaders(decision) })
  }
}

async function send(pace: Pace, server: Server): Promise<void> {
  for (let retries = 0; ; retries++) {
    const end = await pace.turn(retries > 0, never())
    const answer = await server.answer()
    end(answer)
    if (answer.ok) return
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get('retry-after')) * 1000))
  }
}

/** How long `work` takes, in milliseconds of virtual time. */
async function timeOf(work: Promise<void>[]): Promise<number> {
  const startedAt = performance.now()
  let endedAt: number | undefined
  const end = Promise.all(work).then(() => {
    endedAt = performance.now()
  })
  while (endedAt === undefined) await vi.advanceTimersByTimeAsync(100)
  await end
  return endedAt - startedAt
}

const many = (count: number, pace: Pace, server: Server) =>
  Array.from({ length: count }, () => send(pace, server))

describe('the pace of requests', () => {
  test('5,000 concurrent requests take at most 5 % longer than the rate limits require, with almost no 429', async () => {
    const server = new Server(published)
    const took = await timeOf(many(5000, new Pace(), server))
    // The limits allow 50 requests a second, and 1,000 a minute.
    expect(took).toBeGreaterThanOrEqual(259_000)
    expect(took).toBeLessThan(259_000 / 0.95)
    expect(server.accepted).toBe(5000)
    expect(server.refused).toBeLessThan(50)
  })

  test.each([10, 200])('a limit of %i a second is used to 95 %', async (perSecond) => {
    const server = new Server({ perSecond, perMinute: null })
    const took = await timeOf(many(perSecond * 10, new Pace(), server))
    expect(took).toBeGreaterThanOrEqual(9_000)
    expect(took).toBeLessThan(10_000 / 0.95)
  })

  test('requests that a proxy refuses use nothing of the limit', async () => {
    const server = new Server({ perSecond: 100, perMinute: null })
    const pace = new Pace()
    const refuse = async () => {
      const end = await pace.turn(false, never())
      await new Promise((resolve) => setTimeout(resolve, 10))
      end(new Response(null, { status: 502 }))
    }
    await timeOf(many(1, pace, server))
    const took = await timeOf(
      Array.from({ length: 2000 }, (_, index) => (index % 2 ? refuse() : send(pace, server))),
    )
    expect(server.refused).toBeLessThan(5)
    expect(took).toBeGreaterThanOrEqual(9_000)
    expect(took).toBeLessThan(10_000 / 0.95)
  })

  test('if answers have no rate limit headers, at most 64 requests run at a time', async () => {
    const server = new Server({ perSecond: null, perMinute: null }, () => 5)
    // Each of ten rounds of 64 requests takes 10 ms. The virtual clock moves in steps of 100 ms.
    expect(await timeOf(many(640, new Pace(), server))).toBeLessThanOrEqual(200)
    expect(server.mostAtOnce).toBe(64)
  })

  test('several programs that share a rate limit all finish, and together use 95 % of the limit', async () => {
    const server = new Server(published)
    const took = await timeOf([1, 2, 3].flatMap(() => many(1000, new Pace(), server)))
    expect(took).toBeLessThan(139_000 / 0.95)
    expect(server.accepted).toBe(3000)
  })

  test('requests continue if answers no longer have rate limit headers, and if answers are lost', async () => {
    const pace = new Pace()
    const lose = async () => {
      const end = await pace.turn(false, never())
      await new Promise((resolve) => setTimeout(resolve, 10))
      end(null)
    }
    await timeOf([send(pace, new Server({ perSecond: 1000, perMinute: 3 }))])
    const took = await timeOf(Array.from({ length: 20 }, lose))
    expect(took).toBeLessThan(1000)
  })

  test('a request whose signal is aborted leaves the queue', async () => {
    const pace = new Pace()
    const server = new Server({ perSecond: 1, perMinute: null })
    await timeOf([send(pace, server)])
    const controller = new AbortController()
    const waiting = pace.turn(false, controller.signal)
    const next = send(pace, server)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(await timeOf([next])).toBeLessThan(1100)
  })
})
