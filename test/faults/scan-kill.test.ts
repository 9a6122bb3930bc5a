import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { expireHeartbeats } from '../support/jobs/expire-heartbeats.ts'
import { patience } from '../support/patience.ts'
import { cleanUp } from '../support/processes.ts'
import { createDuplicatePairs, pairCount, proposedPairs, readScan, requestScan } from '../support/scans.ts'
import { newWorker } from './new-worker.ts'

const app = await startTestApp({ role: 'api' })
afterAll(async () => {
  await cleanUp()
  await app.close()
})

test('after SIGKILL of a worker during a scan, another worker completes the scan with the same result', async () => {
  const { org, doubles } = await createDuplicatePairs(app)
  const scanId = await withClient(app, async (client) => {
    await client.query('begin')
    // The scan waits for this lock on the org's decisions.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `duplicates of contact ${org.orgId}`,
    ])
    const scanId = await requestScan(org)
    const first = newWorker(app)
    await untilBlocked(client)
    expect(await readScan(org, scanId)).toMatchObject({ status: 'running' })
    first.kill('SIGKILL')
    await first.ended
    await client.query('rollback')
    return scanId
  })
  await expireHeartbeats(app.databaseUrl)
  const second = newWorker(app)
  await expect.poll(async () => (await readScan(org, scanId)).status, patience).toBe('succeeded')
  expect(await proposedPairs(org)).toEqual(doubles.sort())
  expect((await readScan(org, scanId)).counts).toMatchObject({ proposals_opened: pairCount })
  second.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
})
