import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { recentRequests } from './recent-requests.ts'
import { inSlices, limitLongWork } from './slices.ts'

const requests = 30
let steps = 0

/** Work that takes 0.2 ms for each step. */
function* working(count: number): Generator<undefined, void> {
  for (let step = 0; step < count; step++) {
    const end = performance.now() + 0.2
    while (performance.now() < end);
    steps++
    yield
  }
}

/** The most steps in one turn of the event loop. */
async function mostStepsInTurn(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  let isDone = false
  const done = new Promise(setImmediate).then(work).finally(() => {
    isDone = true
  })
  while (!isDone) {
    steps = 0
    await new Promise(setImmediate)
    most = Math.max(most, steps)
  }
  await done
  return most
}

test('work of many requests that begins in one turn of the event loop shares 4 ms, and each gets 0.5 ms', async () => {
  const together = () => Promise.all(Array.from({ length: requests }, () => inSlices('one', working(50))))
  expect(await mostStepsInTurn(together)).toBeLessThanOrEqual(4 / 0.2 + 3 * requests)
})

test('work that begins as soon as other work ends shares 4 ms of each turn of the event loop', async () => {
  const oneAfterAnother = async () => {
    for (let number = 0; number < requests; number++) await inSlices('one', working(15))
  }
  expect(await mostStepsInTurn(oneAfterAnother)).toBeLessThan(2 * (4 / 0.2))
})

test('one long request of an organization runs at a time while others are served, and two otherwise', async () => {
  const [ours, theirs] = [randomUUID(), randomUUID()]
  const most = async () => {
    let running = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
    }
    await Promise.all(Array.from({ length: 8 }, () => limitLongWork(ours, work)))
    return most
  }
  expect(await most(), 'nobody else').toBe(2)
  recentRequests.note({ payerId: `${ours}:members`, orgId: ours })
  expect(await most(), 'members of the organization').toBe(2)
  recentRequests.note({ payerId: theirs, orgId: theirs })
  expect(await most(), 'another organization').toBe(1)
})
