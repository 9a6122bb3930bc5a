import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { addEndpoint, type EndpointOptions, newSecret, readState } from '../support/webhooks/endpoints.ts'
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

async function listen(org: TestOrg, options: Partial<EndpointOptions> = {}) {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const endpoint = await addEndpoint(server.app, org.orgId, { url: receiver.url, ...options })
  receiver.secrets.push(endpoint.secret)
  return { receiver, ...endpoint }
}

const gets = (receiver: Receiver, count: number) =>
  expect.poll(() => receiver.accepted().length, patience).toBe(count)

describe('an endpoint', () => {
  test('an endpoint gets each event after its commit, signed, with the object as a GET shows it', async () => {
    const org = await server.newOrg()
    const { receiver, endpointId } = await listen(org)
    const { body } = await org.post('/contacts', { email: 'ada@example.com' })
    await gets(receiver, 1)
    const [first] = receiver.requests
    expect(first?.body).toMatchObject({
      ...{ type: 'contact.created', org_id: org.orgId, mode: 'live', api_key_id: org.apiKeyId },
      data: { object_type: 'contact', object_id: body.data.contact_id, object: body.data },
    })
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Crosswalk\//),
      'webhook-id': first?.body.event_id,
      'crosswalk-endpoint-id': endpointId,
      'crosswalk-attempt': '1',
    })
    expect(receiver.badSignatures).toBe(0)
  })

  test('an endpoint gets all events of an object in order, and only events of its types', async () => {
    const org = await server.newOrg()
    const { receiver } = await listen(org, { types: ['contact.updated', 'company.*'] })
    const { body } = await org.post('/contacts', { email: 'ada@example.com' })
    await org.post('/companies', { name: 'Initech' })
    for (let index = 0; index < 60; index++)
      await org.patch(`/contacts/${body.data.contact_id}`, { city: `City ${index}` })
    await gets(receiver, 61)
    const ids = receiver.accepted().map((each) => each.body.event_id)
    const ofContact = receiver.accepted().filter((each) => each.body.type === 'contact.updated')
    const inOrder = ofContact.map((each) => each.body.event_id)
    expect(inOrder).toEqual(inOrder.toSorted())
    expect(new Set(ids).size).toBe(61)
  })

  test('an endpoint gets requests that both secrets sign during a rotation', async () => {
    const org = await server.newOrg()
    const oldSecret = newSecret()
    const { receiver, secret } = await listen(org, { oldSecret })
    await org.post('/contacts', { email: 'ada@example.com' })
    await gets(receiver, 1)
    receiver.secrets = [oldSecret]
    await org.post('/contacts', { email: 'bob@example.com' })
    await gets(receiver, 2)
    expect(receiver.badSignatures).toBe(0)
    expect(receiver.requests[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(secret).not.toBe(oldSecret)
  })

  test('an endpoint gets thin events without objects, and no event about objects that its permissions do not allow', async () => {
    const org = await server.newOrg()
    const thin = await listen(org, { payload: 'thin' })
    const limited = await listen(org, { types: ['*'], permissions: ['companies:read'] })
    await org.post('/contacts', { email: 'ada@example.com' })
    await org.post('/companies', { name: 'Acme' })
    await gets(thin.receiver, 2)
    await gets(limited.receiver, 1)
    expect(thin.receiver.requests[0]?.body.data).not.toHaveProperty('object')
    expect(limited.receiver.requests.map(({ body }) => body.type)).toEqual(['company.created'])
  })

  test('a live endpoint also gets changes by test API keys, and a test endpoint gets only changes by test API keys', async () => {
    const org = await server.newOrg()
    const testKey = await server.newKey(org.orgId, { mode: 'test' })
    const [live, tests] = [await listen(org), await listen(org, { mode: 'test' })]
    await org.post('/contacts', { email: 'ada@example.com' })
    await testKey.post('/contacts', { email: 'bob@example.com' })
    await gets(live.receiver, 2)
    await gets(tests.receiver, 1)
    expect(tests.receiver.requests[0]?.body).toMatchObject({ mode: 'test' })
  })

  test('an endpoint gets at most max_in_flight requests at once', async () => {
    const org = await server.newOrg()
    const { receiver } = await listen(org, { maxInFlight: 3 })
    let [now, most] = [0, 0]
    receiver.behave(() => (response) => {
      now += 1
      most = Math.max(most, now)
      setTimeout(() => {
        now -= 1
        response.writeHead(204).end()
      }, 20)
    })
    const items = Array.from({ length: 30 }, (_, index) => ({ email: `a${index}@example.com` }))
    await org.post('/contacts/batch', { items })
    await expect.poll(() => receiver.requests.length, patience).toBe(30)
    expect(most).toBe(3)
  })
})

test('an endpoint that is deleted during a request gets nothing more, and its attempts are gone', async () => {
  const org = await server.newOrg()
  const { receiver, endpointId } = await listen(org)
  const arrived = Promise.withResolvers<() => void>()
  receiver.behave(() => (response) => arrived.resolve(() => response.writeHead(204).end()))
  await org.post('/contacts', { email: 'ada@example.com' })
  const answer = await arrived.promise
  expect((await org.delete(`/webhooks/endpoints/${endpointId}`)).status).toBe(204)
  answer()
  await org.post('/contacts', { email: 'bob@example.com' })
  const other = await listen(org)
  await org.post('/contacts', { email: 'eve@example.com' })
  await gets(other.receiver, 1)
  expect(receiver.requests).toHaveLength(1)
  const left = await server.operate((tx) =>
    tx.rows(sql`select from webhook_attempt where endpoint_id = ${endpointId}`),
  )
  expect(left).toEqual([])
})

test('an endpoint that refuses events does not delay other endpoints, and gets retries until it works', async () => {
  const org = await server.newOrg()
  const [broken, fine] = [await listen(org), await listen(org)]
  broken.receiver.behave(() => 503)
  await org.post('/contacts', { email: 'ada@example.com' })
  await gets(fine.receiver, 1)
  await expect
    .poll(() => readState(server.app, org.orgId, broken.endpointId), patience)
    .toMatchObject({ failures: 2 })
  broken.receiver.behave(() => 200)
  await gets(broken.receiver, 1)
  expect(broken.receiver.requests.at(-1)?.headers['crosswalk-attempt']).not.toBe('1')
  await expect
    .poll(() => readState(server.app, org.orgId, broken.endpointId), patience)
    .toMatchObject({ status: 'enabled', failures: 0, next_probe_at: null })
})
