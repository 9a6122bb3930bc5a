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

const rounds = Number(process.env.ORG_HISTORIES ?? 60)

test(
  'an undone merge leaves no trace after any random history of writes',
  {
    timeout: 3_600_000,
  },
  () => checkHistories(app, client, rounds),
)
