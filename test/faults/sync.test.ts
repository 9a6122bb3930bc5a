import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { cleanUp } from '../support/processes.ts'
import { deviations, noDeviations } from '../support/sync/deviations.ts'
import { GuideProgram } from '../support/sync/guide-program.ts'
import { RandomWrites } from '../support/sync/random-writes.ts'

const seconds = Number(process.env.SYNC_SECONDS ?? 15)
const app = await startTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})

const mostRequests = Math.floor((200 * seconds) / 60)

test(`docs/guides/sync.md copies 1,000 contacts exactly during ${seconds} s of writes, with at most ${mostRequests} requests`, async () => {
  const org = await app.newOrg()
  const writes = new RandomWrites(org)
  await writes.create(500)
  await writes.create(500)
  const program = new GuideProgram(org, 5)
  await writes.run(8, seconds)
  const { requests } = program.progress
  expect(requests).toBeLessThanOrEqual(mostRequests)
  await program.completes(1)
  expect(await deviations(app.databaseUrl, org.orgId, program.copied())).toEqual(noDeviations)
  const kinds = ['archive', 'change', 'create', 'erase', 'merge', 'redo', 'restore', 'undo']
  expect(Object.keys(writes.done).toSorted()).toEqual(kinds)
  console.log(`${requests} requests; writes: ${JSON.stringify(writes.done)}`)
  await program.stop()
})
