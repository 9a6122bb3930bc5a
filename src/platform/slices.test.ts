import { expect, test } from 'vitest'
import { inSlices } from './slices.ts'

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
