import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { MemoryStore } from './memory-store.ts'
import { highestCeiling } from './rate-limit.ts'
import { manualClock, rateLimitProperty } from './store-property.ts'

const published = { perSecond: 50, perMinute: 1_000 }

function makeStore(maxKeys?: number) {
  const clock = manualClock()
  return { clock, store: new MemoryStore(maxKeys === undefined ? { clock } : { clock, maxKeys }) }
}

test('the memory store makes the same decisions as a naive model', async () => {
  await fc.assert(
    rateLimitProperty((clock) => new MemoryStore({ clock })),
    { numRuns: runs(30, 300) },
  )
})

describe('windows', () => {
  test('the 51st request in a second waits until the first request is one second old, to the quarter millisecond', () => {
    const { clock, store } = makeStore()
    for (let sent = 0; sent < 50; sent++) expect(store.take('org', published).allowed).toBe(true)
    clock.advance(999.75)
    expect(store.take('org', published)).toMatchObject({
      allowed: false,
      remaining: 950,
      retryAfterSeconds: 1,
    })
    clock.advance(0.25)
    expect(store.take('org', published)).toMatchObject({ allowed: true, remaining: 949 })
  })

  test('a client above its limit gets exactly what the ceilings allow in each window', () => {
    const { clock, store } = makeStore()
    const accepted: number[] = []
    for (let tick = 0; tick < 40_000; tick++) {
      const nowMs = clock.monotonicMs()
      const sinceFiftieth = nowMs - (accepted.at(-50) ?? -Infinity)
      const sinceThousandth = nowMs - (accepted.at(-1_000) ?? -Infinity)
      const waitMs = Math.max(1_000 - sinceFiftieth, 60_000 - sinceThousandth)
      const { allowed, retryAfterSeconds } = store.take('org', published)
      expect(allowed).toBe(waitMs <= 0)
      expect(retryAfterSeconds).toBe(allowed ? null : Math.ceil(waitMs / 1_000))
      if (allowed) accepted.push(nowMs)
      clock.advance(4.5)
    }
    expect(accepted).toHaveLength(3_000)
  })

  test('keys do not share windows', () => {
    const { store } = makeStore()
    const one = { perSecond: 1, perMinute: 1 }
    expect(store.take('a', one).allowed).toBe(true)
    expect(store.take('a', one).allowed).toBe(false)
    expect(store.take('b', one).allowed).toBe(true)
  })

  test('a change of the wall clock moves only the reset time', () => {
    const { clock, store } = makeStore()
    const before = store.take('org', published)
    clock.stepWallClock(-3_600_000)
    const after = store.take('org', published)
    expect(after.resetAtMs).toBe(before.resetAtMs! - 3_600_000)
    expect(after).toMatchObject({ remaining: before.remaining! - 1, resetAfterSeconds: 60 })
  })
})

describe('changing ceilings', () => {
  test('a lowered ceiling counts requests that were accepted before', () => {
    const { clock, store } = makeStore()
    for (let second = 0; second < 16; second++) {
      for (let sent = 0; sent < 50; sent++) store.take('org', published)
      clock.advance(1_000)
    }
    const lowered = { perSecond: 50, perMinute: 500 }
    // At 16 s, the last minute has 800 requests. At 66 s, the 301st request leaves the window, and 499 remain.
    expect(store.take('org', lowered)).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 50,
      resetAfterSeconds: 50,
    })
    expect(store.take('org', published)).toMatchObject({ allowed: true, remaining: 199 })
  })

  test('a minute without a ceiling counts requests up to the highest possible ceiling', () => {
    const { clock, store } = makeStore()
    const lifted = { perSecond: null, perMinute: null }
    const highest = { perSecond: null, perMinute: highestCeiling }
    for (let sent = 0; sent < 2 * highestCeiling; sent++) {
      store.take('org', lifted)
      clock.advance(0.25)
    }
    // The 100,000th newest request was 25 s ago.
    expect(store.take('org', highest)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 35 })
    clock.advance(34_999.75)
    expect(store.take('org', highest).allowed).toBe(false)
    clock.advance(0.25)
    expect(store.take('org', highest)).toMatchObject({ allowed: true, remaining: 0, resetAfterSeconds: 1 })
  })
})

describe('the keys in memory', () => {
  test('each request drops at most two idle keys from memory', () => {
    const { clock, store } = makeStore()
    for (let org = 0; org < 10; org++) store.take(`org ${org}`, published)
    clock.advance(59_999.75)
    store.take('org 0', published)
    expect(store.size).toBe(10)
    clock.advance(0.25)
    store.take('org 0', published)
    expect(store.size).toBe(8)
    for (let sent = 0; sent < 10; sent++) store.take('org 0', published)
    expect(store.size).toBe(1)
  })

  test('the keys in memory never exceed maxKeys: the least recently used key is dropped', () => {
    const { store } = makeStore(3)
    const one = { perSecond: 1, perMinute: 1 }
    for (const address of ['a', 'b', 'c']) store.take(address, one)
    expect(store.take('a', one).allowed).toBe(false)
    store.take('d', one)
    expect(store.size).toBe(3)
    expect(store.take('a', one).allowed).toBe(false)
    expect(store.take('c', one).allowed).toBe(false)
    expect(store.take('b', one).allowed).toBe(true)
  })
})

describe('clocks', () => {
  test('fractions of a millisecond do not round a minute up to 61 seconds', () => {
    let nowMs = 0
    const store = new MemoryStore({ clock: { monotonicMs: () => nowMs, epochMs: () => 1_700_000_000_000 } })
    for (let sevenths = 0; sevenths < 1_000; sevenths++) {
      nowMs = 100_000 + sevenths / 7
      expect(store.take(`org ${sevenths}`, published)).toMatchObject({
        resetAtMs: 1_700_000_060_000,
        resetAfterSeconds: 60,
      })
    }
  })

  test('the system clock is the default', () => {
    const { allowed, resetAtMs } = new MemoryStore().take('org', published)
    expect(allowed).toBe(true)
    expect(Math.abs(resetAtMs! - Date.now() - 60_000)).toBeLessThan(10_000)
  })
})
