import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { recentRequests } from '../recent-requests.ts'
import { runTurn } from './run-turn.ts'

const [ours, theirs] = ['0190a3c4-0000-7000-8000-000000000001', '0190a3c4-0000-7000-8000-000000000002']

/** The milliseconds between the steps of a turn, each of which takes as long as `stepMs`. */
async function gapsWhile(sendRequest: () => void, stepMs: number): Promise<number[]> {
  const gaps: number[] = []
  let endedAt: number | null = null
  const work = { payload: { org_id: ours }, signal: new AbortController().signal, nextTurn: () => {} }
  await runTurn(work, async () => {
    const startedAt = performance.now()
    if (endedAt !== null) gaps.push(startedAt - endedAt)
    await delay(stepMs)
    sendRequest()
    endedAt = performance.now()
    return gaps.length === 5
  })
  return gaps
}

test('while others send requests, a job rests after each step as long as the step took', async () => {
  const stepMs = 40
  const watched = await gapsWhile(() => recentRequests.note({ payerId: ours, orgId: ours }), stepMs)
  expect(Math.min(...watched)).toBeLessThan(stepMs / 2)
  const shared = await gapsWhile(() => recentRequests.note({ payerId: theirs, orgId: theirs }), stepMs)
  // A timer may fire a millisecond early.
  expect(Math.min(...shared)).toBeGreaterThan(stepMs - 2)
})
