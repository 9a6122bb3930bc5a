import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sendBatch } from './batch.ts'
import type { Trial } from './send.ts'

const delivered = { meaning: 'delivered' } as Trial

test('no event is sent after one that waits for an earlier event of its object, although the receiver is slow', async () => {
  const objects = [...Array(10).fill('busy'), ...Array.from({ length: 40 }, (_, n) => `other ${n}`)]
  // The events of the busy object are between those of the others.
  const items = objects.map((objectId, n) => ({ eventId: String(n), objectId, place: (n * 7) % 50 }))
  items.sort((a, b) => a.place - b.place)
  const results = await sendBatch(items, {
    ...{ inFlight: 8, startMs: 50, gapMs: 60_000, pace: () => 0, halts: () => false },
    send: () => delay(20, delivered),
    signal: new AbortController().signal,
  })
  const tried = results.map(({ trial }) => trial !== null)
  expect(tried.slice(tried.indexOf(false)).includes(true)).toBe(false)
})

test('an object with many events delays the results of the others by at most the time for gaps', async () => {
  const items = Array.from({ length: 50 }, (_, n) => ({
    eventId: String(n),
    objectId: n < 49 ? 'busy' : null,
  }))
  const results = await sendBatch(items, {
    ...{ inFlight: 8, startMs: 20, gapMs: 20, pace: () => 0, halts: () => false },
    send: () => delay(20, delivered),
    signal: new AbortController().signal,
  })
  expect(results.filter(({ trial }) => trial !== null).length).toBeLessThan(10)
})
