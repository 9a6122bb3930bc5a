import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { system } from '../../src/platform/db/system.ts'
import { deleteOldRows } from '../../src/webhooks/poll-endpoints.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { addEndpoint } from '../support/webhooks/endpoints.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp({ role: 'api' })
})
afterAll(() => server.close())

test('attempts are deleted after 7 days, and hourly sums after 90 days', async () => {
  const { orgId } = await server.newOrg()
  const { endpointId } = await addEndpoint(server.app, orgId, { url: 'https://example.com/hook' })
  const org = server.app.context.database.org(orgId)
  await org.transact(async (tx) => {
    for (const days of [0, 6, 8, 100]) {
      await tx.run(sql`
        insert into webhook_attempt (org_id, attempt_id, endpoint_id, event_id, source_org_id, type, number, outcome,
          duration_ms, created_at)
        values (${orgId}, ${newId()}, ${endpointId}, ${newId()}, ${orgId}, 'contact.created', ${days}, 'delivered', 1,
          now() - make_interval(days => ${days}))`)
      await tx.run(sql`
        insert into webhook_hour (org_id, endpoint_id, hour, delivered, failed, duration_ms)
        values (${orgId}, ${endpointId}, now() - make_interval(days => ${days}), ${days}, 0, 1)`)
    }
  })
  await deleteOldRows(system(server.app.context.database))
  const attempts = await org.readRows(sql`
    select number from webhook_attempt where endpoint_id = ${endpointId} order by number`)
  expect(attempts).toEqual([{ number: 0 }, { number: 6 }])
  const hours = await org.readRows(sql`
    select delivered from webhook_hour where endpoint_id = ${endpointId} order by delivered`)
  expect(hours).toEqual([{ delivered: 0 }, { delivered: 6 }, { delivered: 8 }])
})
