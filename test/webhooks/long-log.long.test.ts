import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { readDueEndpoints } from '../../src/webhooks/delivery/due.ts'
import { startTestApp } from '../support/app.ts'
import { withClientOf } from '../support/direct-sql.ts'
import { addEndpoint } from '../support/webhooks/endpoints.ts'

const server = await startTestApp({ role: 'api' })
afterAll(() => server.close({ leavesJobs: true }))

test('the search for new events does not read all events of an organization that has nearly all of them', async () => {
  const { orgId } = await server.newOrg()
  const ids = Array.from({ length: 20_000 }, newId)
  await server.operate((tx) =>
    tx.run(sql`
      insert into event (org_id, event_id, type, mode, created_at)
      select ${orgId}, id, 'deal.created', 'live', now() from unnest(${ids}::uuid[]) as id`),
  )
  await withClientOf(server.databaseUrl, (client) => client.query('analyze event'))
  await addEndpoint(server.app, orgId, { url: 'https://example.com', types: ['call.ended'] })
  const read = await server.operate(async (tx) => {
    expect(await readDueEndpoints(tx, 'own')).toEqual([])
    const counted = await tx.first(
      sql<{ rows: number }>`select sum(seq_tup_read)::int as rows from pg_stat_xact_user_tables`,
    )
    return counted?.rows
  })
  expect(read).toBeLessThan(1_000)
})
