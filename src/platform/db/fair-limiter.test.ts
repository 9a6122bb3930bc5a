import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairLimiter } from './fair-limiter.ts'

/** Starts work for orgs, counts the running work of each, and ends it. */
function open(max: number, total: number) {
  const turns = new FairLimiter({ max, waitMs: 60_000, total })
  const running = new Map<string, (() => void)[]>()
  const done: Promise<void>[] = []
  const start = (org: string) =>
    done.push(
      turns.run(org, () => new Promise<void>((end) => running.set(org, [...(running.get(org) ?? []), end]))),
    )
  const counts = async () => {
    await new Promise(setImmediate)
    return Object.fromEntries([...running].map(([org, ends]) => [org, ends.length]))
  }
  return { start, counts, done, end: (org: string) => running.get(org)?.shift()?.() }
}

test('the first org gets at most three quarters of the connections, and each further org half of the rest', async () => {
  const { start, counts } = open(12, 16)
  for (const org of ['a', 'b', 'c', 'd']) for (let n = 0; n < 20; n++) start(org)
  expect(await counts()).toEqual({ a: 12, b: 2, c: 1, d: 1 })
})

test('orgs that all have much work get equal shares', async () => {
  const { start, counts, end } = open(12, 16)
  for (const org of ['a', 'b', 'c']) for (let n = 0; n < 200; n++) start(org)
  for (let round = 0; round < 40; round++)
    for (const org of ['a', 'b', 'c']) {
      end(org)
      await counts()
    }
  expect(Object.values(await counts()).toSorted()).toEqual([4, 4, 4])
})

test('an org without a connection never waits while a connection is free, and all queued work ends', async () => {
  const step = fc.tuple(fc.constantFrom('start', 'end'), fc.constantFrom('a', 'b', 'c', 'd'))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { start, counts, end, done } = open(3, 4)
      for (const [kind, org] of steps) {
        const before = (await counts())[org] ?? 0
        if (kind === 'end') end(org)
        else {
          start(org)
          if (before === 0) expect((await counts())[org]).toBe(1)
        }
      }
      for (;;) {
        const left = Object.entries(await counts()).filter(([, count]) => count > 0)
        if (left.length === 0) break
        for (const [org] of left) end(org)
      }
      await Promise.all(done)
    }),
    { numRuns: 50 },
  )
})

test('while other orgs are served, an org runs less work at once, and later its waiting work begins', async () => {
  let servesOthers = true
  const options = { max: 3, maxBesideOthers: 1, waitMs: 60_000, servesOthers: () => servesOthers }
  const limiter = new FairLimiter(options)
  const ends: (() => void)[] = []
  const begin = () => limiter.run('a', () => new Promise<void>((end) => ends.push(end)))
  const works = [begin(), begin(), begin(), begin()]
  ends[0]?.()
  await works[0]
  await expect.poll(() => ends.length).toBe(2)
  servesOthers = false
  await expect.poll(() => ends.length).toBe(4)
  for (const end of ends) end()
  await Promise.all(works)
})

test('while other orgs are served, work that became slow does not delay other work of its org', async () => {
  const options = { max: 3, maxBesideOthers: 1, slowMs: 20, waitMs: 60_000, servesOthers: () => true }
  const limiter = new FairLimiter(options)
  const ends: (() => void)[] = []
  const begin = () => limiter.run('a', () => new Promise<void>((end) => ends.push(end)))
  const works = [begin(), begin(), begin(), begin()]
  await expect.poll(() => ends.length).toBe(3)
  for (const end of ends) end()
  await expect.poll(() => ends.length).toBe(4)
  ends[3]?.()
  await Promise.all(works)
})
