import { Client } from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { checkHistories } from '../support/merging/histories.ts'

const app = await startTestApp()
const client = new Client({ connectionString: app.databaseUrl })
beforeAll(() => client.connect())
afterAll(async () => {
  await client.end()
  await app.close({ leavesJobs: true })
})

// test/faults/merge-histories.test.ts runs 60 histories.
test('an undone merge leaves no trace after any of 4 random histories of writes', () =>
  checkHistories(app, client, 4))
