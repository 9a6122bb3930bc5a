import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EventType } from '../../src/events/catalog.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { sendSample } from '../../src/webhooks/delivery/send-sample.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { addEndpoint } from '../support/webhooks/endpoints.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

let server: TestApp
const receivers: Receiver[] = []
beforeAll(async () => {
  server = await startTestApp({ outboundAllowPrivate: true })
})
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close()
})
afterAll(() => server.close())

async function listen(org: TestOrg) {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const endpoint = await addEndpoint(server.app, org.orgId, { url: receiver.url, types: ['contact.*'] })
  receiver.secrets.push(endpoint.secret)
  return { receiver, endpointId: endpoint.endpointId }
}

const counted = (receiver: Receiver) =>
  [...Map.groupBy(receiver.requests, ({ body }) => body.event_id).values()].map(({ length }) => length)

type ReplayOptions = { types?: string[]; failedOnly?: boolean }

async function replay(org: TestOrg, endpointId: string, { types, failedOnly = false }: ReplayOptions = {}) {
  const replayId = newId()
  await server.app.context.database.org(org.orgId).transact((tx) =>
    tx.run(sql`
      insert into webhook_replay (org_id, replay_id, endpoint_id, from_time, to_time, types, failed_only, created_at)
      values (${org.orgId}, ${replayId}, ${endpointId}, now() - interval '1 hour', now() + interval '1 second',
        ${types ?? null}::text[], ${failedOnly}, now())`),
  )
  const status = () =>
    server.app.context.database.org(org.orgId).readRows(sql<{ status: string; sent: number }>`
      select status, sent from webhook_replay where org_id = ${org.orgId} and replay_id = ${replayId}`)
  await expect.poll(async () => (await status())[0]?.status, patience).toBe('finished')
  return (await status())[0]?.sent
}

describe('a replay', () => {
  test('a replay sends the events of a period again, with their ids, while new events arrive', async () => {
    const org = await server.newOrg()
    const { receiver, endpointId } = await listen(org)
    const items = Array.from({ length: 120 }, (_, index) => ({ email: `a${index}@example.com` }))
    for (let sent = 0; sent < items.length; sent += 60)
      await org.post('/contacts/batch', { items: items.slice(sent, sent + 60) })
    await expect.poll(() => receiver.accepted().length, patience).toBe(120)
    expect(await replay(org, endpointId)).toBe(120)
    expect(counted(receiver)).toEqual(Array.from({ length: 120 }, () => 2))
    expect(await replay(org, endpointId, { types: ['contact.erased', 'deal.*'] })).toBe(0)
    expect(await replay(org, endpointId, { types: ['contact.*'] })).toBe(120)
    await org.post('/contacts', { email: 'new@example.com' })
    await expect.poll(() => counted(receiver).length, patience).toBe(121)
    expect(receiver.badSignatures).toBe(0)
  })

  test('a replay of failed events sends only events without a delivery', async () => {
    const org = await server.newOrg()
    const { receiver, endpointId } = await listen(org)
    receiver.behave(({ data }) => (data.object?.email === 'bad@example.com' ? 422 : 200))
    await org.post('/contacts', { email: 'bad@example.com' })
    await org.post('/contacts', { email: 'good@example.com' })
    await expect.poll(() => receiver.requests.length, patience).toBe(2)
    receiver.behave(() => 200)
    await expect
      .poll(async () => {
        const stored = await server.app.context.database.org(org.orgId).readRows(sql<{ count: number }>`
          select count(*)::integer as count from webhook_attempt where endpoint_id = ${endpointId}`)
        return stored[0]?.count
      }, patience)
      .toBe(2)
    expect(await replay(org, endpointId, { failedOnly: true })).toBe(1)
    expect(receiver.requests.at(-1)?.body.data.object?.email).toBe('bad@example.com')
  })
})

test('a resend sends one event again', async () => {
  const org = await server.newOrg()
  const { receiver, endpointId } = await listen(org)
  await org.post('/contacts', { email: 'ada@example.com' })
  await expect.poll(() => receiver.accepted().length, patience).toBe(1)
  const eventId = receiver.requests[0]!.body.event_id
  await server.app.context.database.org(org.orgId).transact((tx) =>
    tx.run(sql`
      insert into webhook_retry (org_id, endpoint_id, event_id, source_org_id, kind, tries, next_at)
      values (${org.orgId}, ${endpointId}, ${eventId}, ${org.orgId}, 'resend', 0, now())`),
  )
  await expect.poll(() => counted(receiver), patience).toEqual([2])
})

test('the sample of a type has its object if the endpoint wants objects, and null for an erased one', async () => {
  const org = await server.newOrg()
  const { receiver, endpointId } = await listen(org)
  const { context } = server.app
  const dataOf = async (type: EventType) => {
    await sendSample(context.database.org(org.orgId), context, endpointId, type)
    return receiver.requests.at(-1)!.body.data
  }
  expect((await dataOf('contact.updated')).object).toMatchObject({ email: 'ada@example.com' })
  expect((await dataOf('contact.erased')).object).toBeNull()
  await org.patch(`/webhooks/endpoints/${endpointId}`, { payload: 'thin' })
  expect(Object.keys(await dataOf('contact.updated'))).toEqual(['object_type', 'object_id', 'details'])
})

test('the sample of a type is sent at once, signed, and its attempt shows the answer', async () => {
  const org = await server.newOrg()
  const { receiver, endpointId } = await listen(org)
  const { context } = server.app
  const handle = context.database.org(org.orgId)
  const sent = await sendSample(handle, context, endpointId, 'deal.closed')
  expect(sent?.trial).toMatchObject({ meaning: 'delivered', status: 200 })
  expect(receiver.requests[0]?.body).toMatchObject({
    type: 'deal.closed',
    event_id: sent?.eventId,
    org_id: org.orgId,
  })
  const { object_id, object } = receiver.requests[0]!.body.data
  expect(object).toMatchObject({ deal_id: object_id, version: expect.any(Number) })
  receiver.behave(() => 500)
  expect((await sendSample(handle, context, endpointId, 'deal.closed'))?.trial).toMatchObject({ status: 500 })
  expect(await sendSample(handle, context, newId(), 'deal.closed')).toBeNull()
  expect(receiver.badSignatures).toBe(0)
})
