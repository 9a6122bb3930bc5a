import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import {
  type Ceilings,
  type Clock,
  minuteMs,
  type RateDecision,
  type RateLimitStore,
  secondMs,
} from './rate-limit.ts'

/** A clock that only the test moves. */
export function manualClock() {
  let nowMs = 12_345.25
  let epochOffsetMs = 1_700_000_000_000
  return {
    monotonicMs: () => nowMs,
    epochMs: () => Math.floor(epochOffsetMs + nowMs),
    /** Moves both clocks forward. */
    advance(ms: number): void {
      nowMs += ms
    },
    /** Sets the wall clock forward or back. */
    stepWallClock(ms: number): void {
      epochOffsetMs += ms
    },
  }
}

/**
 * Property: a store decides like a simple model that keeps every accepted request. Times are multiples of 250 µs.
 * Pass the result to `fc.assert`.
 */
export function rateLimitProperty(makeStore: (clock: Clock) => RateLimitStore | Promise<RateLimitStore>) {
  return fc.asyncProperty(
    fc.array(anyCeilings, { minLength: 2, maxLength: 2 }),
    anySteps,
    async (start, steps) => {
      const clock = manualClock()
      const store = await makeStore(clock)
      const keys = start.map((ceilings, index) => ({
        name: `key ${index}`,
        ceilings,
        accepted: [] as number[],
      }))

      const take = async (key: (typeof keys)[number]): Promise<RateDecision> => {
        const decision = await store.take(key.name, key.ceilings)
        deepStrictEqual(decision, modelTake(key.accepted, key.ceilings, clock.monotonicMs(), clock.epochMs()))
        return decision
      }

      const burst = async (key: (typeof keys)[number], requests: number, heedRetryAfter: boolean) => {
        let last = await take(key)
        for (let sent = 1; sent < requests; sent++) last = await take(key)
        if (last.retryAfterSeconds === null || !heedRetryAfter) return
        clock.advance((last.retryAfterSeconds - 1) * secondMs)
        deepStrictEqual((await take(key)).allowed, false, 'accepted a second before Retry-After')
        clock.advance(secondMs)
        deepStrictEqual((await take(key)).allowed, true, 'refused after Retry-After')
      }

      for (const step of steps) {
        const key = keys[step.key]!
        if (step.do === 'burst') await burst(key, step.requests, step.heedRetryAfter)
        if (step.do === 'wait') clock.advance(step.ms)
        if (step.do === 'step wall clock') clock.stepWallClock(step.ms)
        if (step.do === 'set ceilings') key.ceilings = step.ceilings
      }
    },
  )
}

/** The decision of the model: it filters all accepted requests, and appends the request if it accepts. */
function modelTake(accepted: number[], ceilings: Ceilings, nowMs: number, epochMs: number): RateDecision {
  const { perSecond, perMinute } = ceilings
  const left = (ceiling: number, windowMs: number, atMs: number) =>
    Math.max(0, ceiling - accepted.filter((time) => atMs < time + windowMs).length)
  const hasRoom = (atMs: number) =>
    (perSecond === null || left(perSecond, secondMs, atMs) > 0) &&
    (perMinute === null || left(perMinute, minuteMs, atMs) > 0)

  const allowed = hasRoom(nowMs)
  let retryAfterSeconds: number | null = null
  if (allowed) accepted.push(nowMs)
  else for (retryAfterSeconds = 1; !hasRoom(nowMs + retryAfterSeconds * secondMs); ) retryAfterSeconds++

  const ceiling = perMinute ?? perSecond
  const windowMs = perMinute === null ? secondMs : minuteMs
  if (ceiling === null) {
    return { allowed, ceilings, remaining: null, resetAtMs: null, resetAfterSeconds: null, retryAfterSeconds }
  }
  const remaining = left(ceiling, windowMs, nowMs)
  const leaving = accepted.map((time) => time + windowMs)
  const resetAfterMs = leaving.find((atMs) => left(ceiling, windowMs, atMs) > remaining)! - nowMs
  const resetAfterSeconds = Math.ceil(resetAfterMs / secondMs)
  return {
    allowed,
    ceilings,
    remaining,
    resetAtMs: epochMs + resetAfterMs,
    resetAfterSeconds,
    retryAfterSeconds,
  }
}

const anyCeiling = (max: number) => fc.option(fc.integer({ min: 1, max }), { freq: 6 })

const anyCeilings = fc.oneof(
  { weight: 9, arbitrary: fc.record({ perSecond: anyCeiling(12), perMinute: anyCeiling(30) }) },
  { weight: 1, arbitrary: fc.constant({ perSecond: 50, perMinute: 1_000 }) },
)

const quarterMs = (maxMs: number) => fc.nat(maxMs * 4).map((n) => n / 4)

const anyWaitMs = fc.oneof(
  fc.constantFrom(0, 0.25, 1, 999.75, 1_000, 1_000.25, 59_000, 59_999.75, 60_000, 60_000.25),
  quarterMs(50),
  quarterMs(1_100),
  quarterMs(61_000),
)

const anyKey = fc.nat(1)

const anyBurst = fc.record({
  do: fc.constant('burst'),
  key: anyKey,
  requests: fc.integer({ min: 1, max: 40 }),
  heedRetryAfter: fc.boolean(),
})

const anyWait = fc.record({ do: fc.constant('wait'), key: anyKey, ms: anyWaitMs })

const anyNewCeilings = fc.record({ do: fc.constant('set ceilings'), key: anyKey, ceilings: anyCeilings })

const anyClockStep = fc.record({
  do: fc.constant('step wall clock'),
  key: anyKey,
  ms: fc.integer({ min: -1e8, max: 1e8 }),
})

const anySteps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: anyBurst },
    { weight: 6, arbitrary: anyWait },
    { weight: 2, arbitrary: anyNewCeilings },
    { weight: 1, arbitrary: anyClockStep },
  ),
  { maxLength: 60, size: 'max' },
)
