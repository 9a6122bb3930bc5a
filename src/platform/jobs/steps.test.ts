import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { recentRequests } from '../recent-requests.ts'
import { runStep } from './steps.ts'

const org = (last: number) => `0190a3c4-0000-7000-8000-00000000000${last}`
const [ours, theirs] = [org(1), org(2)]
const served = (orgId: string) => recentRequests.note({ payerId: orgId, orgId })

/** Only our organization has sent requests. */
beforeEach(() => {
  for (let n = 0; n < 5; n++) served(`${ours}:${n}`)
})

/** Begins two steps, of which the first does not end yet. */
function beginTwo() {
  const begun: string[] = []
  const first = Promise.withResolvers<void>()
  const abort = new AbortController()
  const steps = [
    runStep(ours, () => {
      begun.push('import')
      return first.promise
    }),
    runStep(ours, async () => void begun.push('bulk change'), abort.signal),
  ]
  return { begun, end: first.resolve, steps, abort }
}

test('beside others, the steps of all jobs of an organization run one after another', async () => {
  served(theirs)
  const { begun, end, steps } = beginTwo()
  await runStep(theirs, async () => void begun.push('job of others'))
  expect(begun).toEqual(['import', 'job of others'])
  end()
  await Promise.all(steps)
  expect(begun).toEqual(['import', 'job of others', 'bulk change'])
})

test('the jobs of an organization that is served alone do not wait for each other', async () => {
  const { begun, end, steps } = beginTwo()
  expect(begun).toEqual(['import', 'bulk change'])
  end()
  await Promise.all(steps)
})

test('a step whose job is aborted while it waits does not begin', async () => {
  served(theirs)
  const { begun, end, steps, abort } = beginTwo()
  abort.abort(new Error('this process is about to stop'))
  end()
  await expect(steps[1]).rejects.toThrow('this process is about to stop')
  expect(begun).toEqual(['import'])
})

/** The milliseconds between the steps of a job, each of which takes as long as `stepMs`. */
async function gapsWhile(sendRequest: () => void, stepMs: number): Promise<number[]> {
  const gaps: number[] = []
  let endedAt: number | null = null
  for (let n = 0; n < 6; n++)
    await runStep(ours, async () => {
      const startedAt = performance.now()
      if (endedAt !== null) gaps.push(startedAt - endedAt)
      await delay(stepMs)
      sendRequest()
      endedAt = performance.now()
    })
  return gaps
}

test('while others send requests, a job rests after each step as long as the step took', async () => {
  const stepMs = 40
  const watched = await gapsWhile(() => served(ours), stepMs)
  expect(Math.min(...watched)).toBeLessThan(stepMs / 2)
  const shared = await gapsWhile(() => served(theirs), stepMs)
  // A timer may fire a millisecond early.
  expect(Math.min(...shared)).toBeGreaterThan(stepMs - 2)
})

test('while a job rests, another job of its organization runs a step', async () => {
  served(theirs)
  const order: string[] = []
  const rested = runStep(ours, () => delay(40)).then(() => order.push('rested'))
  await runStep(ours, async () => void order.push('other job'))
  await rested
  expect(order).toEqual(['other job', 'rested'])
})
