import { afterAll, expect, test } from 'vitest'
import { openProposals } from '../../src/duplicates/engine/proposals.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())

const proposals = 2_000
const asked = 50

test('the open proposals about 50 records are found without reading the others, even before PostgreSQL has analyzed its tables', async () => {
  await withClient(app, (client) => client.query('alter table merge set (autovacuum_enabled = false)'))
  const { orgId } = await app.newOrg()
  const ids = Array.from({ length: 2 * proposals }, () => newId())
  const [survivors, losers] = [ids.slice(0, proposals), ids.slice(proposals)]
  await app.app.context.database.org(orgId).transact(async (tx) => {
    await tx.run(sql`
      insert into merge (org_id, merge_id, merge_group_id, entity, status, survivor_id, loser_id, method)
      select ${orgId}, gen_random_uuid(), gen_random_uuid(), 'contact', 'shadow', survivor_id, loser_id, 'auto'
      from unnest(${survivors}::uuid[], ${losers}::uuid[]) as p (survivor_id, loser_id)`)
  })
  const rowsRead = sql<{ n: number }>`
    select idx_tup_fetch::int as n from pg_stat_xact_user_tables where relname = 'merge'`
  const { found, read } = await app.app.context.database.org(orgId).transact(async (tx) => {
    const about = [...survivors.slice(0, asked / 2), ...losers.slice(-asked / 2)]
    const found = await openProposals(tx, 'contact', about)
    return { found, read: await tx.first(rowsRead) }
  })
  expect(found).toHaveLength(asked)
  expect(read?.n).toBeLessThanOrEqual(2 * asked)
})
