import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OwnRedis } from '../../../test/support/own-redis.ts'
import { redisOrSkip } from '../../../test/support/redis-or-skip.ts'
import { runs } from '../../../test/support/runs.ts'
import { createLog } from '../log.ts'
import { type Clock, highestCeiling } from './rate-limit.ts'
import { RedisLink } from './redis-link.ts'
import { RedisStore } from './redis-store.ts'
import { manualClock, rateLimitProperty } from './store-property.ts'

const published = { perSecond: 50, perMinute: 1_000 }
const lifted = { perSecond: null, perMinute: null }
function fullRing(nowMs: number): Buffer {
  const ring = Buffer.alloc(20 + 4 * highestCeiling)
  ring.writeDoubleLE(nowMs * 1_000, 0)
  ring.writeUInt32LE(highestCeiling, 8)
  ring.writeUInt32LE(7, 12)
  ring.writeUInt32LE(highestCeiling, 16)
  for (let index = 0; index < highestCeiling; index++) {
    const ageUs = Math.floor((highestCeiling - 1 - index) / 10_000) * 1_000_000
    ring.writeUInt32LE((2 ** 32 - ageUs) % 2 ** 32, 20 + 4 * ((index + 7) % highestCeiling))
  }
  return ring
}

// These tests check the answers of Redis, not their speed.
const patientMs = 20_000

describe.each(redisOrSkip())('rate limits are counted in $version', (installed) => {
  let redis: OwnRedis
  let link: RedisLink
  beforeAll(async () => {
    redis = await OwnRedis.create(installed)
    link = await RedisLink.create(redis.url, createLog('silent'), patientMs)
    await link.start()
  })
  afterAll(async () => {
    link?.close()
    await redis?.remove()
  })

  let stores = 0
  /** An empty store, and the name of the key `org` in Redis. */
  function newStore(clock: Clock | null = null) {
    const kind = `test ${++stores}`
    return { store: new RedisStore(link, kind, clock), key: `crosswalk:limit:${kind}:org` }
  }

  test('the Redis store makes the same decisions as a naive model', { timeout: 300_000 }, async () => {
    await fc.assert(
      rateLimitProperty((clock) => newStore(clock).store),
      { numRuns: runs(15, 40) },
    )
  })

  test('a client above its limit gets exactly what the ceilings allow in each window', {
    timeout: 300_000,
  }, async () => {
    const clock = manualClock()
    const { store } = newStore(clock)
    const accepted: number[] = []
    const ceilings = { perSecond: 5, perMinute: 100 }
    for (let tick = 0; tick < 1_500; tick++) {
      const nowMs = clock.monotonicMs()
      const sinceFifth = nowMs - (accepted.at(-5) ?? -Infinity)
      const sinceHundredth = nowMs - (accepted.at(-100) ?? -Infinity)
      const waitMs = Math.max(1_000 - sinceFifth, 60_000 - sinceHundredth)
      const { allowed, retryAfterSeconds } = await store.take('org', ceilings)
      expect(allowed).toBe(waitMs <= 0)
      expect(retryAfterSeconds).toBe(allowed ? null : Math.ceil(waitMs / 1_000))
      if (allowed) accepted.push(nowMs)
      clock.advance(120)
    }
    expect(accepted).toHaveLength(300)
  })

  test('a full window uses less than 8 KB, and expires a minute after the last request', async () => {
    const clock = manualClock()
    const { store, key } = newStore(clock)
    for (let sent = 0; sent < 3_000; sent++) {
      clock.advance(60.25)
      expect((await store.take('org', published)).allowed).toBe(true)
    }
    expect(await store.take('org', published)).toMatchObject({ remaining: 3 })
    const bytes = await redis.run('MEMORY', 'USAGE', key)
    expect(bytes).toBeGreaterThan(4_000)
    expect(bytes).toBeLessThan(8_192)
    const expiresInMs = await redis.run('PTTL', key)
    expect(expiresInMs).toBeGreaterThan(0)
    expect(expiresInMs).toBeLessThanOrEqual(60_000)
  })

  test('an address with one request uses less than 256 bytes', async () => {
    const { store, key } = newStore()
    await store.take('org', published)
    expect(await redis.run('MEMORY', 'USAGE', key)).toBeLessThan(256)
  })

  test('a minute without a ceiling counts requests up to the highest possible ceiling, and no further', async () => {
    const clock = manualClock()
    const { store, key } = newStore(clock)
    const highest = { perSecond: null, perMinute: highestCeiling }
    await redis.run('SET', key, fullRing(clock.monotonicMs()))
    const full = { allowed: false, remaining: 0, retryAfterSeconds: 51, resetAfterSeconds: 51 }
    expect(await store.take('org', highest)).toMatchObject(full)
    for (let sent = 0; sent < 1_000; sent++) await store.take('org', lifted)
    expect(await store.take('org', highest)).toMatchObject(full)
    clock.advance(51_000)
    expect(await store.take('org', highest)).toMatchObject({ allowed: true, remaining: 8_999 })
    expect(await redis.run('MEMORY', 'USAGE', key)).toBeLessThan(600_000)
  })

  test('the store uses the time of Redis unless it gets a clock', async () => {
    const { store } = newStore()
    const decision = await store.take('org', published)
    const [seconds, microseconds] = (await redis.run('TIME')) as [string, string]
    const redisMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000
    expect(decision).toMatchObject({
      allowed: true,
      remaining: 999,
      resetAfterSeconds: 60,
      retryAfterSeconds: null,
    })
    expect(decision.resetAtMs! - 60_000).toBeLessThanOrEqual(redisMs)
    expect(decision.resetAtMs! - 60_000).toBeGreaterThan(redisMs - patientMs)
  })

  test.each([401, 3_600_000, 86_400_000 * 365])(
    'a clock that is set back by %d ms frees no slot and delays no client',
    async (backMs) => {
      let nowMs = 1_800_000_000_000
      const { store } = newStore({ monotonicMs: () => nowMs, epochMs: () => nowMs })
      for (let sent = 0; sent < 50; sent++) await store.take('org', published)
      nowMs += 400
      expect((await store.take('org', published)).allowed).toBe(false)
      nowMs -= backMs
      expect((await store.take('org', published)).allowed).toBe(false)
      nowMs += 999.75
      expect((await store.take('org', published)).allowed).toBe(false)
      nowMs += 0.25
      expect(await store.take('org', published)).toMatchObject({ allowed: true, remaining: 949 })
    },
  )

  test('a clock that is set forward by a whole round of slots frees all of them', async () => {
    const clock = manualClock()
    const { store } = newStore(clock)
    for (let sent = 0; sent < 50; sent++) await store.take('org', published)
    clock.advance(Math.ceil(2 ** 32 / 1_000) + 100)
    expect(await store.take('org', published)).toMatchObject({ allowed: true, remaining: 999 })
  })

  test('the store sends its script again if Redis no longer has it', async () => {
    const { store } = newStore()
    await store.take('org', published)
    await redis.run('SCRIPT', 'FLUSH')
    expect(await store.take('org', published)).toMatchObject({ allowed: true, remaining: 998 })
  })
  test('a request needs few steps in Redis, even if the window is full', async () => {
    const clock = manualClock()
    const { store } = newStore(clock)
    const times: number[] = []
    async function send(count: number): Promise<void> {
      for (let sent = 0; sent < count; sent++) {
        clock.advance(60.25)
        const startedAt = performance.now()
        expect((await store.take('org', published)).allowed).toBe(true)
        times.push(performance.now() - startedAt)
      }
    }
    /** Sends `count` requests, and returns how often the script reads the ring for each of them. */
    async function readsOf(count: number): Promise<number> {
      await redis.run('CONFIG', 'RESETSTAT')
      await send(count)
      const stats = String(await redis.run('INFO', 'commandstats'))
      return Number(/cmdstat_getrange:calls=(\d+)/.exec(stats)![1]) / count
    }
    await send(1_000)
    expect(await readsOf(1_000)).toBeLessThan(8)
    clock.advance(59_000)
    expect(await readsOf(1)).toBeLessThan(30)
    // An idle machine needs 0.1 ms.
    expect(times.sort((a, b) => a - b)[1_000]).toBeLessThan(5)
  })
})
