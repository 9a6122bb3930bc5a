import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type Logs, readDueEndpoints } from '../../src/webhooks/delivery/due.ts'
import { startTestApp } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { addEndpoint } from '../support/webhooks/endpoints.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'

const server = await startTestApp({ outboundAllowPrivate: true })
afterAll(() => server.close())

test('an agency with many endpoints and clients does not slow the poll of other endpoints, and gets the events of its clients', async () => {
  const agency = await server.newAgency()
  const receiver = await startReceiver()
  const { secret } = await addEndpoint(server.app, agency.orgId, {
    ...{ url: receiver.url, types: ['deal.created'], includeClients: true },
  })
  receiver.secrets.push(secret)
  for (let n = 0; n < 19; n++)
    await addEndpoint(server.app, agency.orgId, {
      url: receiver.url,
      types: ['call.ended'],
      includeClients: true,
    })
  const clientIds = Array.from({ length: 1_000 }, () => newId())
  await server.operate(async (tx) => {
    await tx.run(
      sql`insert into org (org_id, name) select id, 'Client' from unnest(${clientIds}::uuid[]) as id`,
    )
    await tx.run(sql`
      insert into agency_client (agency_org_id, client_org_id)
      select ${agency.orgId}, id from unnest(${clientIds}::uuid[]) as id`)
  })
  // Take the shortest of five, because a busy machine makes a read longer.
  const timeOf = async (logs: Logs) => {
    const times: number[] = []
    for (let n = 0; n < 5; n++) {
      const began = performance.now()
      await server.operate((tx) => readDueEndpoints(tx, logs))
      times.push(performance.now() - began)
    }
    return Math.min(...times)
  }
  expect(10 * (await timeOf('own'))).toBeLessThan(await timeOf({ clientsOf: agency.orgId }))
  // Without a commit of this process, only the poll finds it.
  const event = { org_id: clientIds[500], event_id: newId() }
  await server.operate((tx) =>
    tx.run(sql`
      insert into event (org_id, event_id, type, mode, created_at)
      values (${event.org_id}, ${event.event_id}, 'deal.created', 'live', now())`),
  )
  await expect
    .poll(() => receiver.accepted().map(({ body }) => body.event_id), patience)
    .toEqual([event.event_id])
  receiver.close()
})
