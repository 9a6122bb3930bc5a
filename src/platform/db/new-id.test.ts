import fc from 'fast-check'
import { version } from 'uuid'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from './new-id.ts'
import { timeOf } from './uuid-time.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a new id is a UUIDv7 of its time', () => {
  const before = Date.now()
  const id = newId()
  expect(version(id)).toBe(7)
  expect(timeOf(id)).toBeGreaterThanOrEqual(before)
  expect(timeOf(id)).toBeLessThanOrEqual(Date.now())
})

test('each new id is greater than the ids before it, even if the clock goes backward', () => {
  vi.useFakeTimers()
  let clock = Date.now()
  let last = newId()
  fc.assert(
    fc.property(fc.integer({ min: -5, max: 5 }), fc.integer({ max: 50 }), (step, count) => {
      clock += step
      vi.setSystemTime(clock)
      for (let made = 0; made < count; made++) {
        const id = newId()
        expect(id > last).toBe(true)
        last = id
      }
    }),
  )
})
