import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Budgets, countedEvents } from './budgets.ts'

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

const key = { id: 'k1', budgetOwner: 'o1', eventsPerSecond: 5, eventsPerDay: 1_000_000 }

test('a write key may send a burst of ten seconds, and then its rate', () => {
  const { budgets, pass } = at()
  expect(budgets.countEvents(key, null, 50)).toBeNull()
  expect(budgets.countEvents(key, null, 1)).toBe(1)
  expect(budgets.countEvents(key, null, 10)).toBe(2)
  pass(200)
  expect(budgets.countEvents(key, null, 1)).toBeNull()
  expect(budgets.countEvents({ ...key, id: 'k2' }, null, 50)).toBeNull()
})

test('an address may send 10 requests a second with a key, and each address has its own limit', () => {
  const { budgets } = at()
  for (const limits of [key, null]) {
    for (let n = 0; n < 100; n++) expect(budgets.countRequest(limits, 'a')).toBeNull()
    expect(budgets.countRequest(limits, 'a')).toBe(1)
    expect(budgets.countRequest(limits, 'b')).toBeNull()
  }
})

test('a refused request uses no budget, and a batch larger than the burst is accepted when the budget is full', () => {
  const { budgets, pass } = at()
  expect(budgets.countEvents(key, null, 500)).toBeNull()
  const wait = budgets.countEvents(key, null, 500)
  expect(wait).toBe(100)
  expect(budgets.countEvents(key, null, 500)).toBe(wait)
  pass(100_000)
  expect(budgets.countEvents(key, null, 500)).toBeNull()
})

test('each 4 KiB of a body count as at least one event', () => {
  expect([countedEvents(1), countedEvents(4096), countedEvents(4097), countedEvents(4097, 20)]).toEqual([
    1, 1, 2, 20,
  ])
})

test('with many keys, an address may send 1,000 requests and 5,000 events at once', () => {
  const { budgets } = at()
  const keys = Array.from({ length: 200 }, (_, n) => ({
    ...key,
    id: `k${n}`,
    budgetOwner: `o${n}`,
    eventsPerSecond: 500,
  }))
  const sent = keys.flatMap((each) => Array.from({ length: 20 }, () => budgets.countRequest(each, 'a')))
  expect(sent.filter((wait) => wait === null)).toHaveLength(1_000)
  const taken = keys.map((each) => budgets.countEvents(each, 'a', 50))
  expect(taken.filter((wait) => wait === null)).toHaveLength(100)
})

test('all keys of an organization may send 10,000 events and 1,000 requests a second together', () => {
  const { budgets, pass } = at()
  const keys = Array.from({ length: 30 }, (_, n) => ({ ...key, id: `k${n}`, eventsPerSecond: 5_000 }))
  const nthKey = (n: number) => keys[n % keys.length] ?? key
  const requests = (count: number) => {
    const waits = Array.from({ length: count }, (_, n) => budgets.countRequest(nthKey(n), null))
    return waits.filter((wait) => wait === null).length
  }
  expect(requests(3_000)).toBe(2_000)
  pass(500)
  expect(requests(3_000)).toBe(500)
  const events = (count: number) => {
    const waits = Array.from({ length: count }, (_, n) => budgets.countEvents(nthKey(n), null, 1_000))
    return waits.filter((wait) => wait === null).length
  }
  expect(events(300)).toBe(100)
  pass(500)
  expect(events(300)).toBe(5)
  expect(budgets.countEvents({ ...key, id: 'other', budgetOwner: 'o2' }, null, 50)).toBeNull()
})

test('a returned budget can be used again, and bodies without a known write key share the budget of their address', () => {
  const { budgets } = at()
  for (let n = 0; n < 3; n++) {
    expect(budgets.countEvents(key, 'a', 50)).toBeNull()
    budgets.giveBack(key, 'a', 50)
  }
  expect(budgets.countEvents(key, 'a', 50)).toBeNull()
  expect(budgets.countEvents(key, 'a', 5)).toBe(1)
  expect(budgets.countEventsOfUnknownKey('a', 500)).toBeNull()
  expect([budgets.countEventsOfUnknownKey('a', 50), budgets.countEventsOfUnknownKey('b', 500)]).toEqual([
    1,
    null,
  ])
})

test('a write key that has used up its daily budget waits until midnight in UTC', () => {
  const { budgets, pass } = at()
  const daily = { ...key, eventsPerSecond: 1_000, eventsPerDay: 10 }
  expect(budgets.countEvents(daily, null, 10)).toBeNull()
  expect(budgets.countEvents(daily, null, 1)).toBe(12 * 3600)
  pass(12 * 3_600_000)
  expect(budgets.countEvents(daily, null, 10)).toBeNull()
})

test('in any period, a write key sends at most its burst plus its rate', () => {
  const step = fc.record({ wait: fc.nat(3_000), events: fc.integer({ min: 1, max: 40 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { budgets, pass } = at()
      let [elapsed, accepted] = [0, 0]
      for (const { wait, events } of steps) {
        pass(wait)
        elapsed += wait
        if (budgets.countEvents(key, null, events) === null) accepted += events
        expect(accepted).toBeLessThanOrEqual(50 + (elapsed / 1000) * 5 + 1e-6)
      }
    }),
  )
})

test('a full budget accepts a request of any size, at any fraction of a millisecond', () => {
  const time = fc.double({ min: 1, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(
      time,
      fc.integer({ min: 1, max: 2_500 }),
      fc.integer({ min: 1, max: 5_000 }),
      (ms, events, perSecond) => {
        const { budgets, pass } = at()
        pass(ms)
        expect(budgets.countEvents({ ...key, eventsPerSecond: perSecond }, 'a', events)).toBeNull()
      },
    ),
    { numRuns: 1_000 },
  )
})

test('an address that is over its own budget does not make a shared budget count as spent', () => {
  const { budgets } = at()
  const site = { ...key, eventsPerSecond: 500 }
  for (const address of ['a', 'b', 'c']) budgets.countEvents(site, address, 2_000)
  expect(budgets.spentByAll(site, 'a', 2_000)).toBeNull()
  expect(budgets.spentByAll(site, 'd', 2_000)).toBe('key k1')
  expect(budgets.spentByAll(site, 'd', 100)).toBeNull()
  const second = { ...site, id: 'k2', eventsPerSecond: 50_000 }
  budgets.countEvents(second, null, 95_000)
  expect(budgets.spentByAll(second, null, 5_000)).toBe('events of o1')
  expect(budgets.spentByAll({ ...second, id: 'k3', budgetOwner: 'o2' }, null, 5_000)).toBeNull()
})

test('a write key that used up its daily budget has none left for any address', () => {
  const { budgets } = at()
  const site = { ...key, eventsPerSecond: 500, eventsPerDay: 10 }
  budgets.countEvents(site, 'a', 10)
  expect(budgets.spentByAll(site, 'b', 1)).toBe('key k1')
})
