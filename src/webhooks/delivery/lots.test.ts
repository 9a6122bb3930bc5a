import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Lots } from './lots.ts'

const never = new AbortController().signal

/** Lots whose pauses end by hand. `isServing`: whether the process serves other organizations. */
function manual(isServing = true, isBusy = false) {
  const asked: number[] = []
  const pauses: (() => void)[] = []
  const begun: string[] = []
  const lots = new Lots({
    servesOthers: () => isServing,
    isBusy: () => isBusy,
    pause: (ms) => {
      asked.push(ms)
      return new Promise((resolve) => pauses.push(() => resolve(null)))
    },
  })
  /** Begins a lot. Returns a function that ends it. */
  const begin = (name: string, orgId = 'an org', signal = never) => {
    const ended = Promise.withResolvers<string>()
    const run = lots.run(orgId, signal, () => {
      begun.push(name)
      return ended.promise
    })
    run.catch(() => {})
    return { run, end: () => ended.resolve(name), fail: () => ended.reject(new Error(name)) }
  }
  return { begin, begun, asked, endPauses: () => pauses.splice(0).forEach((end) => void end()) }
}

test('the next lot of an organization begins after the lot before it and its rest', async () => {
  const { begin, begun, endPauses } = manual()
  const first = begin('first')
  const second = begin('second')
  await turn()
  expect(begun).toEqual(['first'])
  first.end()
  expect(await first.run).toBe('first')
  await turn()
  expect(begun).toEqual(['first'])
  endPauses()
  await turn()
  expect(begun).toEqual(['first', 'second'])
  second.end()
  expect(await second.run).toBe('second')
})

test('a lot that hangs, and one that fails, let the next one begin', async () => {
  const { begin, begun, endPauses } = manual()
  const hanging = begin('hanging')
  const failing = begin('failing')
  begin('last')
  for (let pause = 0; pause < 2; pause++) {
    endPauses()
    await turn()
  }
  expect(begun).toEqual(['hanging', 'failing'])
  failing.fail()
  await expect(failing.run).rejects.toThrow('failing')
  endPauses()
  await turn()
  expect(begun).toEqual(['hanging', 'failing', 'last'])
  hanging.end()
  expect(await hanging.run).toBe('hanging')
})

test('lots of several organizations run at once, and so do the lots of an organization that is served alone', async () => {
  const serving = manual()
  serving.begin('one', 'an org')
  serving.begin('another', 'another org')
  const alone = manual(false)
  alone.begin('one')
  alone.begin('another')
  await turn()
  expect([serving.begun, alone.begun]).toEqual([
    ['one', 'another'],
    ['one', 'another'],
  ])
})

test('a lot does not wait any more when its signal fires', async () => {
  const { begin, begun } = manual()
  begin('first')
  const stop = new AbortController()
  begin('second', 'an org', stop.signal)
  stop.abort()
  await turn()
  expect(begun).toEqual(['first', 'second'])
})

test.each([
  ['as long as its lot', false, 1],
  ['four times as long, in a process that is busy with writes', true, 4],
])('a rest is %s, and a lot counts for at most 50 ms', async (_, isBusy, times) => {
  const { begin, asked, endPauses } = manual(true, isBusy)
  begin('hanging')
  const startedAt = performance.now()
  while (performance.now() - startedAt < 60);
  endPauses()
  await turn()
  expect(asked).toEqual([50, 50 * times])
})
