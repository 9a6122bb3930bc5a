import { expect, test } from 'vitest'
import { Pace } from '../../platform/outbound/pace.ts'
import { isBusy, throttleDeliveries } from './throttle.ts'

test.each([
  ['an idle process', { share: 0, written: 0, elapsedMs: 500 }, false],
  ['a busy process without writes', { share: 1, written: 0, elapsedMs: 500 }, false],
  ['a busy process with 98 events a second', { share: 1, written: 49, elapsedMs: 500 }, false],
  ['a busy process with 100 events a second', { share: 1, written: 50, elapsedMs: 500 }, true],
  [
    'a process that is busy half of the time, with 100 events a second',
    { share: 0.5, written: 50, elapsedMs: 500 },
    true,
  ],
  [
    'a process that is busy less than half of the time',
    { share: 0.49, written: 10_000, elapsedMs: 500 },
    false,
  ],
  ['a busy process with 500 events in a minute', { share: 1, written: 500, elapsedMs: 60_000 }, false],
] as const)('whether a process counts as busy with writes: %s', (_what, window, expected) => {
  expect(isBusy(window)).toBe(expected)
})

const never = new AbortController().signal
/** A wait at this pace is longer than a test may take. */
const slow = () => new Pace({ burst: 1, perSecond: 0.001 })

test('deliveries do not wait in a process that is not busy', async () => {
  await throttleDeliveries('an org', 50, never, { isBusyNow: () => false, pace: slow() })
})

test('deliveries wait while the process is busy', async () => {
  let looks = 0
  await throttleDeliveries('an org', 50, never, { isBusyNow: () => ++looks < 3, pace: slow() })
  expect(looks).toBe(3)
})

test('deliveries in a busy process wait no longer than their pace requires', async () => {
  const pace = new Pace({ burst: 50, perSecond: 100 })
  const startedAt = performance.now()
  await throttleDeliveries('an org', 50, never, { isBusyNow: () => true, pace })
  await throttleDeliveries('an org', 10, never, { isBusyNow: () => true, pace })
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(90)
})

test('the deliveries of an organization do not wait for another organization’s deliveries', async () => {
  const pace = slow()
  const busy = new AbortController()
  const options = { isBusyNow: () => true, pace }
  const waiting = throttleDeliveries('an org', 50, busy.signal, options)
  await throttleDeliveries('another org', 1, never, options)
  busy.abort()
  await waiting
})

test('aborting the signal ends the wait', async () => {
  await throttleDeliveries('an org', 50, AbortSignal.abort(), { isBusyNow: () => true, pace: slow() })
})
