import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Budgets, eventsIn } from './budgets.ts'

const start = Date.UTC(2026, 10, 24, 12)

function at(): { budgets: Budgets; pass: (ms: number) => void } {
  let now = 0
  const clock = { monotonicMs: () => now, epochMs: () => start + now }
  return {
    budgets: new Budgets({ clock }),
    pass: (ms) => {
      now += ms
    },
  }
}

const key = { id: 'k1', eventsPerSecond: 5, eventsPerDay: 1_000_000 }

test('a key may send a burst of ten seconds, and then its rate', () => {
  const { budgets, pass } = at()
  expect(budgets.take(key, null, 50)).toBeNull()
  expect(budgets.take(key, null, 1)).toBe(1)
  expect(budgets.take(key, null, 10)).toBe(2)
  pass(200)
  expect(budgets.take(key, null, 1)).toBeNull()
  expect(budgets.take({ ...key, id: 'k2' }, null, 50)).toBeNull()
})

test('an address may send 10 requests a second with a key, and other addresses more', () => {
  const { budgets } = at()
  for (const keyId of ['k1', null]) {
    for (let n = 0; n < 100; n++) expect(budgets.takeRequest(keyId, 'a')).toBeNull()
    expect(budgets.takeRequest(keyId, 'a')).toBe(1)
    expect(budgets.takeRequest(keyId, 'b')).toBeNull()
  }
})

test('a refused request takes nothing, and a batch larger than the burst passes when the budget is full', () => {
  const { budgets, pass } = at()
  expect(budgets.take(key, null, 500)).toBeNull()
  const wait = budgets.take(key, null, 500)
  expect(wait).toBe(100)
  expect(budgets.take(key, null, 500)).toBe(wait)
  pass(100_000)
  expect(budgets.take(key, null, 500)).toBeNull()
})

test('each 4 KiB of a body count as an event at least', () => {
  expect([eventsIn(1), eventsIn(4096), eventsIn(4097), eventsIn(4097, 20)]).toEqual([1, 1, 2, 20])
})

test('asking for the wait counts nothing, and bodies whose key is not known share a budget of their address', () => {
  const { budgets } = at()
  for (let n = 0; n < 3; n++) expect(budgets.waitSeconds(key, 'a', 50)).toBeNull()
  expect(budgets.take(key, 'a', 50)).toBeNull()
  expect(budgets.waitSeconds(key, 'a', 5)).toBe(1)
  expect(budgets.takeUnknown('a', 500)).toBeNull()
  expect([budgets.takeUnknown('a', 50), budgets.takeUnknown('b', 500)]).toEqual([1, null])
})

test('a key that has used up its day waits until midnight in UTC', () => {
  const { budgets, pass } = at()
  const daily = { ...key, eventsPerSecond: 1_000, eventsPerDay: 10 }
  expect(budgets.take(daily, null, 10)).toBeNull()
  expect(budgets.take(daily, null, 1)).toBe(12 * 3600)
  pass(12 * 3_600_000)
  expect(budgets.take(daily, null, 10)).toBeNull()
})

test('in no period does a key send more than its burst and its rate', () => {
  const step = fc.record({ wait: fc.nat(3_000), events: fc.integer({ min: 1, max: 40 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { budgets, pass } = at()
      let [elapsed, accepted] = [0, 0]
      for (const { wait, events } of steps) {
        pass(wait)
        elapsed += wait
        if (budgets.take(key, null, events) === null) accepted += events
        expect(accepted).toBeLessThanOrEqual(50 + (elapsed / 1000) * 5 + 1e-6)
      }
    }),
  )
})

test('a full budget never refuses a request, however large it is and whatever fraction of a millisecond it is', () => {
  const time = fc.double({ min: 1, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(
      time,
      fc.integer({ min: 1, max: 2_500 }),
      fc.integer({ min: 1, max: 5_000 }),
      (ms, events, perSecond) => {
        const { budgets, pass } = at()
        pass(ms)
        expect(budgets.take({ ...key, eventsPerSecond: perSecond }, 'a', events)).toBeNull()
      },
    ),
    { numRuns: 1_000 },
  )
})
