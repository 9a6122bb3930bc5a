import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { system } from '../../src/platform/db/system.ts'
import { deleteOldRows } from '../../src/webhooks/poll-endpoints.ts'
import { startTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

let app: TestApp
let hole: Receiver
const held: ServerResponse[] = []
beforeAll(async () => {
  app = await startTestApp({ outboundAllowPrivate: true })
  hole = await startReceiver()
  hole.behave(() => (response) => held.push(response))
})
afterEach(() => {
  for (const response of held.splice(0)) response.end()
})
afterAll(async () => {
  hole.close()
  await app.close()
})

const path = '/webhooks/endpoints'

async function newEndpoint(org: TestClient, url = 'https://crm.example.com/'): Promise<string> {
  const { status, body } = await org.post(path, { url, types: ['suppression.deleted'] })
  expect([status, body.detail]).toEqual([201, undefined])
  return `${path}/${body.data.endpoint_id}`
}

const sendTest = (client: TestClient, there: string, headers: Record<string, string> = {}) =>
  client.post(`${there}/test`, { type: 'deal.closed' }, { headers })

describe('test events', () => {
  test('at most 3 test events of an organization wait for their answers at once', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const key = await app.newKey(org.orgId)
    const [there, elsewhere] = [await newEndpoint(org, hole.url), await newEndpoint(other, hole.url)]
    const sent = [sendTest(org, there), sendTest(key, there), sendTest(org, there)]
    await expect.poll(() => held.length, patience).toBe(3)
    const refused = await sendTest(key, there)
    expect([refused.status, refused.body.code]).toEqual([429, 'test_limit_reached'])
    expect(refused.headers.get('retry-after')).toBe('1')
    const fourth = sendTest(other, elsewhere)
    await expect.poll(() => held.length, patience).toBe(4)
    for (const response of held.splice(0)) response.end()
    for (const { status, body } of await Promise.all([...sent, fourth]))
      expect([status, body.data.outcome]).toEqual([200, 'delivered'])
    const again = sendTest(org, there)
    await expect.poll(() => held.length, patience).toBe(1)
    held.splice(0)[0]!.end()
    expect((await again).status).toBe(200)
  })

  test('at most 3 test events of an agency in all its clients wait for their answers at once', async () => {
    const agency = await app.newAgency()
    const clients = await Promise.all(
      [1, 2].map(
        async (n) => (await agency.post('/agency/clients', { name: `Client ${n}` })).body.data.org_id,
      ),
    )
    const endpoints = await Promise.all(
      clients.map(async (orgId) => {
        const headers = { 'x-target-org-id': orgId }
        const body = { url: hole.url, types: ['contact.*'] }
        const id = (await agency.post(path, body, { headers })).body.data.endpoint_id
        return { headers, there: `${path}/${id}` }
      }),
    )
    const [one, two] = endpoints as [(typeof endpoints)[0], (typeof endpoints)[0]]
    const sent = [one, one, two].map(({ there, headers }) => sendTest(agency, there, headers))
    await expect.poll(() => held.length, patience).toBe(3)
    expect((await sendTest(agency, two.there, two.headers)).body.code).toBe('test_limit_reached')
    for (const response of held.splice(0)) response.end()
    await Promise.all(sent)
  })
})

/** Replays that cannot run, because their endpoint waits for a probe. */
async function addReplays(
  org: TestOrg,
  there: string,
  count: number,
  status = 'running',
  days = 0,
): Promise<void> {
  const endpointId = there.slice(path.length + 1)
  const ids = Array.from({ length: count }, () => newId())
  await app.operate(async (tx) => {
    await tx.run(sql`
      update webhook_endpoint set next_probe_at = now() + interval '1 hour' where endpoint_id = ${endpointId}`)
    await tx.run(sql`
      insert into webhook_replay (org_id, replay_id, endpoint_id, from_time, to_time, failed_only, status, created_at, finished_at)
      select ${org.orgId}, id, ${endpointId}, now(), now(), false, ${status}, now(),
        case when ${status}::text <> 'running' then now() - make_interval(days => ${days}) end
      from unnest(${ids}::uuid[]) as id`)
  })
}

describe('replays', () => {
  test('at most 20 replays of an organization run at once, on all its endpoints', async () => {
    const org = await app.newOrg()
    for (let n = 0; n < 4; n++) await addReplays(org, await newEndpoint(org), 5)
    const there = await newEndpoint(org)
    const refused = await org.post(`${there}/replay`, { from: 1 })
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached'])
    expect(refused.body.detail).toContain('at most 20 running replays')
    const other = await app.newOrg()
    expect((await other.post(`${await newEndpoint(other)}/replay`, { from: 1 })).status).toBe(202)
  })

  test('at most 1,000 replays of an organization are stored, and finished ones are deleted after 7 days', async () => {
    const org = await app.newOrg()
    const there = await newEndpoint(org)
    await addReplays(org, there, 999, 'finished', 8)
    await addReplays(org, there, 1, 'canceled', 6)
    const refused = await org.post(`${there}/replay`, { from: 1 })
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('at most 1000 replays'),
    ])
    await deleteOldRows(system(app.app.context.database))
    expect((await org.post(`${there}/replay`, { from: 1 })).status).toBe(202)
    const left = await app.operate((tx) =>
      tx.rows(sql`select from webhook_replay where org_id = ${org.orgId} and status <> 'running'`),
    )
    expect(left.length).toBeLessThanOrEqual(2)
  })
})

describe('resends', () => {
  test('at most 500 resends of an organization wait, and a waiting resend can be requested again', async () => {
    const org = await app.newOrg()
    const [there, other] = [await newEndpoint(org), await newEndpoint(org)]
    const endpointId = there.slice(path.length + 1)
    for (let n = 0; n < 3; n++) await org.post('/contacts', { first_name: 'Ada' })
    const [first, second] = (await org.get('/events?type=contact.created')).body.data
    const ids = Array.from({ length: 499 }, () => newId())
    await app.operate(async (tx) => {
      await tx.run(sql`
        update webhook_endpoint set next_probe_at = now() + interval '1 hour' where org_id = ${org.orgId}`)
      await tx.run(sql`
        insert into webhook_retry (org_id, endpoint_id, event_id, source_org_id, kind, tries, next_at)
        select ${org.orgId}, ${endpointId}, id, ${org.orgId}, 'resend', 0, now() from unnest(${ids}::uuid[]) as id`)
    })
    expect((await org.post(`${there}/events/${first.event_id}/resend`)).status).toBe(202)
    expect((await org.post(`${there}/events/${first.event_id}/resend`)).status).toBe(202)
    for (const each of [there, other]) {
      const refused = await org.post(`${each}/events/${second.event_id}/resend`)
      expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached'])
    }
  })

  test('resends show only events that the endpoint may get', async () => {
    const { orgId } = await app.newOrg()
    const [key, tester] = [
      await app.newKey(orgId, { permissions: ['webhooks:manage', 'contacts:write', 'events:read'] }),
      await app.newKey(orgId, { mode: 'test' }),
    ]
    const owner = await app.newKey(orgId)
    const [there, inTest] = [await newEndpointFor(key), await newEndpointFor(tester)]
    await owner.post('/deals', { name: 'Secret' })
    await owner.post('/contacts', { first_name: 'Ada' })
    const events = (await owner.get('/events?limit=2')).body.data
    const idOf = (type: string) => events.find((each: { type: string }) => each.type === type).event_id
    expect((await key.post(`${there}/events/${idOf('deal.created')}/resend`)).status).toBe(404)
    expect((await key.post(`${there}/events/${idOf('contact.created')}/resend`)).status).toBe(202)
    // A test endpoint gets only events of test API keys.
    expect((await tester.post(`${inTest}/events/${idOf('contact.created')}/resend`)).status).toBe(404)
  })
})

const newEndpointFor = async (key: TestClient) =>
  `${path}/${(await key.post(path, { url: hole.url, types: ['contact.erased'] })).body.data.endpoint_id}`
