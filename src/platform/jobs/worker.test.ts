import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { CommitWatch } from '../db/repeat-after-commits.ts'
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
