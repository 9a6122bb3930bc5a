import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'

// This app has no worker, so the stored file stays.
const app = await startTestApp({ role: 'api' })
afterAll(() => app.close({ leavesJobs: true }))

test('a file in JSON is stored in pieces of at most 1 MiB', async () => {
  const org = await app.newOrg()
  const csv = `last_name\n${'Lovelace\n'.repeat(300_000)}`
  expect((await org.post('/contacts/imports', { csv })).status).toBe(202)
  const [stored] = await app.operateOn(org.orgId, (tx) =>
    tx.rows(sql<{ largest: number; bytes: number }>`
      select max(length(bytes))::int as largest, sum(length(bytes))::int as bytes from import_piece
      where org_id = ${org.orgId}`),
  )
  expect(stored).toEqual({ largest: 1024 * 1024, bytes: csv.length })
})
