import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { CommitWatch } from '../db/repeat-after-commits.ts'
import type { SystemScope } from '../db/system.ts'
import { createLog } from '../log.ts'
import type { JobClaim, JobClaims } from './engine/claims.ts'
import { installationLane } from './identity.ts'
import { job } from './job.ts'
import { Worker } from './worker.ts'

test('a worker that stops while it claims jobs returns them to the queue without running them', async () => {
  const claimed = Promise.withResolvers<JobClaim[]>()
  const claiming = Promise.withResolvers<void>()
  const handedBack: string[] = []
  const claims: Pick<JobClaims, 'next' | 'handBack' | 'done'> = {
    next: () => {
      claiming.resolve()
      return claimed.promise
    },
    handBack: async ({ id }) => handedBack.push(id) > 0,
    done: async () => true,
  }
  let runs = 0
  const counted = job({
    name: 'counted',
    payload: z.object({}),
    orgId: () => null,
    run: async () => {
      runs++
    },
  })
  const engine = {
    claims: claims as JobClaims,
    listen: async () => {},
    commits: { arrived: async () => true } as CommitWatch,
  }
  const worker = new Worker(engine, createLog('silent'))
  await worker.work([counted], {} as Context)
  await claiming.promise
  const stopped = worker.stop(4_000)
  const about = {
    data: {},
    lane: installationLane,
    payer: installationLane,
    serial: true,
    retryCount: 0,
    claimedAt: '',
  }
  claimed.resolve(['one', 'two'].map((id) => ({ id, name: 'counted', ...about })))
  await stopped
  expect([runs, handedBack]).toEqual([0, ['one', 'two']])
})

test('a worker whose claim failed tries again, although no transaction committed meanwhile', async () => {
  let [commits, failed, triedAgain] = [0, false, false]
  const claims: Pick<JobClaims, 'next' | 'mayHaveNext'> = {
    next: async () => {
      triedAgain ||= failed
      if (commits === 0 || failed) return []
      failed = true
      throw new Error('The connection broke')
    },
    // Called after a commit.
    mayHaveNext: async () => ++commits > 0,
  }
  const unchanged = { readRows: async () => [{ snapshot: '1:1:' }] } as unknown as SystemScope
  const engine = {
    claims: claims as JobClaims,
    listen: async () => {},
    commits: new CommitWatch(unchanged),
  }
  const worker = new Worker(engine, createLog('silent'))
  const idle = job({ name: 'idle', payload: z.object({}), orgId: () => null, run: async () => {} })
  await worker.work([idle], {} as Context)
  await expect.poll(() => triedAgain, { timeout: 5_000 }).toBe(true)
  await worker.stop(0)
})
