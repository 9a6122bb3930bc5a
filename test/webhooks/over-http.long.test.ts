import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { certificateIn } from '../support/own-postgres.ts'
import { patience } from '../support/patience.ts'
import { cleanUp, fileNamed } from '../support/processes.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

const app = await startTestApp({ outboundAllowPrivate: true })
const receivers: Receiver[] = []
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close()
})
afterAll(async () => {
  await app.close()
  await cleanUp()
})

const folder = fileNamed('tls')
mkdirSync(folder)
const certificate = certificateIn(folder)

const path = '/webhooks/endpoints'
const eventually = <Value>(read: () => Value) => expect.poll(read, patience)

/** A receiver, and an endpoint for it that the API created. */
async function connect(org: TestOrg, body: object = {}) {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const { data } = (await org.post(path, { url: receiver.url, types: ['contact.*'], ...body })).body
  receiver.secrets.push(data.secret)
  const at = `${path}/${data.endpoint_id as string}`
  const types = () => receiver.accepted().map(({ body }) => body.type)
  return { receiver, at, types }
}

test('an endpoint that the API created gets signed events with its headers, and lists its attempts', async () => {
  const org = await app.newOrg()
  const { receiver, at, types } = await connect(org, { headers: { 'x-gateway': 'abc' } })
  const { data: contact } = (await org.post('/contacts', { email: 'ada@example.com' })).body
  await eventually(types).toEqual(['contact.created'])
  const [sent] = receiver.requests
  expect(sent).toMatchObject({
    body: { org_id: org.orgId, data: { object_id: contact.contact_id, object: contact } },
    headers: { 'x-gateway': 'abc', 'webhook-id': sent?.body.event_id, 'crosswalk-attempt': '1' },
  })
  expect(receiver.badSignatures).toBe(0)
  await eventually(async () => (await org.get(`${at}/attempts`)).body.pagination.total).toBe(1)
  const [attempt] = (await org.get(`${at}/attempts?outcome=delivered`)).body.data
  expect(attempt).toMatchObject({
    ...{
      event_id: sent?.body.event_id,
      type: 'contact.created',
      number: 1,
      outcome: 'delivered',
      status: 200,
    },
    ...{ org_id: org.orgId, error: null, response_excerpt: null },
  })
  const { data: stats } = (await org.get(`${at}/stats`)).body
  expect(stats).toMatchObject({ hours: [{ delivered: 1, failed: 0 }], waiting_retries: 0 })
  expect((await org.get(at)).body.data).toMatchObject({ status: 'enabled', failures: 0 })
})

test('an endpoint for all types gets only types whose objects its API key may read', async () => {
  const org = await app.newOrg()
  const key = await app.newKey(org.orgId, { permissions: ['webhooks:manage', 'deals:read'] })
  const { types } = await connect(key, { types: ['*'] })
  await org.post('/contacts', { email: 'ada@example.com' })
  await org.post('/deals', { name: 'Engine' })
  await eventually(types).toEqual(['deal.created'])
})

test('after a rotation, receivers with the old secret and with the new one accept each event', async () => {
  const org = await app.newOrg()
  const { receiver, at, types } = await connect(org)
  const [old] = receiver.secrets
  const { secret } = (await org.post(`${at}/rotate-secret`)).body.data
  await org.post('/contacts', { first_name: 'Ada' })
  await eventually(types).toHaveLength(1)
  receiver.secrets.splice(0, 1, secret)
  await org.post('/contacts', { first_name: 'Grace' })
  await eventually(types).toHaveLength(2)
  expect([receiver.badSignatures, old === secret]).toEqual([0, false])
})

test.each(['new events', 'a replay'])(
  'a change of the URL or the secret applies to %s that wait already, except at most 50 of them',
  async (what) => {
    const org = await app.newOrg()
    const { receiver, at } = await connect(org, { max_in_flight: 1, types: ['contact.created'] })
    const other = await startReceiver()
    receivers.push(other)
    const arrived = Promise.withResolvers<() => void>()
    const hold = () =>
      receiver.behave(() => (response) => {
        receiver.behave(() => 200)
        arrived.resolve(() => response.writeHead(204).end())
      })
    if (what === 'new events') hold()
    const items = Array.from({ length: 180 }, (_, index) => ({ email: `a${index}@example.com` }))
    await org.post('/contacts/batch', { items })
    if (what === 'a replay') {
      await eventually(() => receiver.requests.length).toBe(180)
      receiver.requests.splice(0)
      hold()
      await org.post(`${at}/replay`, { from: Math.floor(Date.now() / 1000) - 600 })
    }
    const answer = await arrived.promise
    const { secret } = (await org.post(`${at}/rotate-secret`, { grace_seconds: 0 })).body.data
    other.secrets.push(secret)
    expect((await org.patch(at, { url: other.url })).status).toBe(200)
    answer()
    const both = () => [...receiver.requests, ...other.requests].map(({ body }) => body.event_id)
    await eventually(() => new Set(both()).size).toBe(180)
    expect(receiver.requests.length).toBeLessThanOrEqual(50)
    expect(both()).toHaveLength(180)
    expect(other.badSignatures).toBe(0)
  },
)

test('a test sends the sample of a type at once, also while the endpoint is disabled', async () => {
  const org = await app.newOrg()
  const { receiver, at } = await connect(org)
  await org.post(`${at}/disable`)
  const { data } = (await org.post(`${at}/test`, { type: 'deal.closed' })).body
  expect(data).toMatchObject({ outcome: 'delivered', status: 200, error: null })
  expect(receiver.requests.map(({ body }) => [body.type, body.event_id])).toEqual([
    ['deal.closed', data.event_id],
  ])
  receiver.behave(() => 500)
  expect((await org.post(`${at}/test`, { type: 'deal.closed' })).body.data).toMatchObject({
    ...{ outcome: 'failed', status: 500, response_excerpt: 'answered 500' },
  })
  expect((await org.get(`${at}/attempts`)).body.data).toEqual([])
})

test('a resend and a replay send events again, with their ids', async () => {
  const org = await app.newOrg()
  const since = Math.floor(Date.now() / 1000)
  const { receiver, at, types } = await connect(org)
  await org.post('/contacts', { first_name: 'Ada' })
  await eventually(types).toHaveLength(1)
  const eventId = receiver.requests[0]!.body.event_id
  expect((await org.post(`${at}/events/${eventId}/resend`)).status).toBe(202)
  await eventually(types).toHaveLength(2)
  const { replay_id: id } = (await org.post(`${at}/replay`, { from: since, types: ['contact.*'] })).body.data
  await eventually(async () => (await org.get(`/webhooks/replays/${id}`)).body.data).toMatchObject({
    ...{ status: 'finished', sent: 1 },
  })
  expect(new Set(receiver.requests.map(({ body }) => body.event_id))).toEqual(new Set([eventId]))
  expect(receiver.requests).toHaveLength(3)
})

test('an enabled endpoint gets the events that it missed, or only new events', async () => {
  const org = await app.newOrg()
  const { at, types } = await connect(org)
  await org.post(`${at}/disable`)
  await org.post('/contacts', { first_name: 'Missed' })
  await org.post(`${at}/enable`)
  await eventually(types).toHaveLength(1)
  await org.post(`${at}/disable`)
  await org.post('/contacts', { first_name: 'Skipped' })
  await org.post(`${at}/enable`, { from: 'now' })
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'New' })).body.data
  await org.patch(`/contacts/${id}`, { city: 'London' })
  await eventually(types).toEqual(['contact.created', 'contact.created', 'contact.updated'])
})

test('an endpoint that asked to wait an hour continues at once after it is enabled', async () => {
  const org = await app.newOrg()
  const { receiver, at, types } = await connect(org)
  receiver.behave(() => (response) => response.writeHead(503, { 'retry-after': '3600' }).end())
  await org.post('/contacts', { first_name: 'Ada' })
  const waiting = { status: 'enabled', next_probe_at: expect.any(Number) }
  await eventually(async () => (await org.get(at)).body.data).toMatchObject(waiting)
  receiver.behave(() => 200)
  const enabled = await org.post(`${at}/enable`)
  expect(enabled.body.data).toMatchObject({ status: 'enabled', next_probe_at: null })
  await eventually(types).toEqual(['contact.created'])
})

test('an endpoint with max_per_second 1 gets the next event a second later, also in another turn', async () => {
  const org = await app.newOrg()
  const { receiver } = await connect(org, { max_per_second: 1 })
  const arrivals: number[] = []
  receiver.behave(() => {
    arrivals.push(performance.now())
    return 200
  })
  for (const count of [1, 2, 3]) {
    await org.post('/contacts', { first_name: 'Ada' })
    await eventually(() => arrivals.length).toBe(count)
  }
  const waits = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0))
  for (const wait of waits) expect(wait).toBeGreaterThan(800)
})

test('a test event of a test API key has the mode test', async () => {
  const org = await app.newOrg()
  const key = await app.newKey(org.orgId, { mode: 'test' })
  const { receiver, at } = await connect(key)
  await key.post(`${at}/test`, { type: 'deal.closed' })
  expect(receiver.requests.map(({ body }) => body.mode)).toEqual(['test'])
})

test('GET …/replays lists the replays of an endpoint, newest first, and not replays of another endpoint', async () => {
  const org = await app.newOrg()
  const [one, other] = [await connect(org), await connect(org)]
  const request = { from: 1_790_000_000, to: 1_790_000_001, types: ['contact.*'] }
  const first = (await org.post(`${one.at}/replay`, request)).body.data.replay_id
  const second = (await org.post(`${one.at}/replay`, { from: 1_790_000_000, to: 1_790_000_001 })).body.data
    .replay_id
  await org.post(`${other.at}/replay`, request)
  const read = async () => (await org.get(`${one.at}/replays`)).body
  await eventually(async () => (await read()).data.map(({ status }: { status: string }) => status)).toEqual([
    'finished',
    'finished',
  ])
  const { data, pagination } = await read()
  const alone = async (id: string) => (await org.get(`/webhooks/replays/${id}`)).body.data
  expect(data).toEqual([await alone(second), await alone(first)])
  expect(pagination.total).toBe(2)
  const { body } = await org.get(
    `${one.at}/replays?limit=1&cursor=${(await org.get(`${one.at}/replays?limit=1`)).body.pagination.next_cursor}`,
  )
  expect(body.data).toEqual([await alone(first)])
})

test.runIf(certificate)(
  'a receiver with an untrusted certificate gets nothing, and the result of a test says why',
  async () => {
    const org = await app.newOrg()
    let requests = 0
    const server = createServer(
      { key: readFileSync(join(folder, 'key')), cert: readFileSync(certificate!) },
      (_request, response) => {
        requests += 1
        response.end()
      },
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`
    const { data } = (await org.post(path, { url, types: ['deal.closed'] })).body
    const tested = (await org.post(`${path}/${data.endpoint_id}/test`, { type: 'deal.closed' })).body.data
    expect(tested).toMatchObject({
      outcome: 'failed',
      status: null,
      error: expect.stringMatching(/certificate/),
    })
    expect(requests).toBe(0)
    server.close()
  },
)
