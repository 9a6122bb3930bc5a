import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { createLog } from '../log.ts'
import type { Claim, Claims } from './claims.ts'
import { installationLane, job } from './job.ts'
import { Worker } from './worker.ts'

test('a job that is taken while the process is told to stop is handed back unrun', async () => {
  const taken = Promise.withResolvers<Claim>()
  const asked = Promise.withResolvers<void>()
  const handedBack: string[] = []
  const claims: Pick<Claims, 'next' | 'handBack' | 'done'> = {
    next: () => {
      asked.resolve()
      return taken.promise
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
  const worker = new Worker(claims as Claims, createLog('silent'))
  worker.add([counted], {} as Context)
  await asked.promise
  const stopped = worker.stop(4_000)
  const about = { data: {}, lane: installationLane, serial: true, retryCount: 0, takenAt: '' }
  taken.resolve({ id: 'one', name: 'counted', ...about })
  await stopped
  expect([runs, handedBack]).toEqual([0, ['one']])
})
