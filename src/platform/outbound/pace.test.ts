import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

test('in any 10 seconds, at most one burst and 10 times the rate per second are sent', () => {
  let now = 0
  const pace = new Pace({ burst: 20, perSecond: 8 }, { now: () => now })
  const sentAt: number[] = []
  for (let index = 0; index < 1_000; index++) {
    now += pace.take('one')
    sentAt.push(now)
  }
  for (const [index, start] of sentAt.entries()) {
    const within = sentAt.slice(index).filter((at) => at < start + 10_000).length
    expect(within).toBeLessThanOrEqual(100)
  }
  expect(sentAt.filter((at) => at === 0)).toHaveLength(20)
  expect(now).toBeCloseTo(((1_000 - 20) * 1_000) / 8)
})

test('requests of different keys do not delay each other, and a pause allows a new burst', () => {
  let now = 0
  const pace = new Pace({ burst: 2, perSecond: 1 }, { now: () => now })
  expect([pace.take('a'), pace.take('a'), pace.take('a')]).toEqual([0, 0, 1_000])
  expect(pace.take('b')).toBe(0)
  now = 10_000
  expect([pace.take('a'), pace.take('a'), pace.take('a')]).toEqual([0, 0, 1_000])
})
