import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Lane, RequestTurns } from './request-turns.ts'

const busyFor = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Begins requests that each block the thread for 5 ms, and returns their names in the order in which they began. */
async function orderOf(requests: { name: string; lane: Lane }[]): Promise<string[]> {
  const turns = new RequestTurns()
  const begun: string[] = []
  for (const { name, lane } of requests)
    turns.run(
      () => lane,
      () => {
        begun.push(name)
        busyFor(5)
      },
    )
  while (begun.length < requests.length) await nextIteration()
  return begun
}

const caller = (name: string): Lane => ({ name, isKnown: true })
const stranger = (name: string): Lane => ({ name, isKnown: false })
const three = (lane: Lane) => [1, 2, 3].map((at) => ({ name: `${lane.name}${at}`, lane }))

test('a request of another organization begins before the other waiting requests of a busy one', async () => {
  const order = await orderOf([...three(caller('a')), { name: 'b', lane: caller('b') }])
  expect(order).toEqual(['a1', 'a2', 'b', 'a3'])
})

test('strangers of many networks together begin as many requests as callers with an API key', async () => {
  const strangers = ['x', 'y', 'z'].flatMap((name) => three(stranger(name)))
  const order = await orderOf([...strangers, ...three(caller('a'))])
  expect(order.slice(0, 7)).toEqual(['x1', 'a1', 'x2', 'a2', 'y1', 'a3', 'z1'])
  expect(order.toSorted()).toEqual([...strangers, ...three(caller('a'))].map(({ name }) => name).toSorted())
})

test('while requests block the thread, one iteration of the event loop begins requests for only 4 ms', async () => {
  const turns = new RequestTurns()
  let begun = 0
  for (let at = 0; at < 20; at++)
    turns.run(
      () => caller('a'),
      () => {
        begun += 1
        busyFor(5)
      },
    )
  expect(begun).toBe(1)
  await nextIteration()
  expect(begun).toBeLessThanOrEqual(3)
  while (begun < 20) await nextIteration()
})

test('what a request does after it began counts, too', async () => {
  const turns = new RequestTurns()
  let done = 0
  const work = async () => {
    await Promise.resolve()
    await new Promise<void>((resolve) => process.nextTick(resolve))
    busyFor(5)
    done += 1
  }
  turns.run(
    () => stranger('x'),
    () => busyFor(5),
  )
  for (let at = 0; at < 20; at++)
    turns.run(
      () => stranger('x'),
      () => void work(),
    )
  expect(done).toBe(0)
  await nextIteration()
  await nextIteration()
  expect(done).toBeLessThanOrEqual(3)
  while (done < 20) await nextIteration()
})
