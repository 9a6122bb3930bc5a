import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import {
  addEndpoint,
  type EndpointOptions,
  passHours,
  passRetryHours,
  readState,
} from '../support/webhooks/endpoints.ts'
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
  const endpoint = await addEndpoint(server.app, org.orgId, {
    url: receiver.url,
    types: ['contact.*'],
    ...options,
  })
  receiver.secrets.push(endpoint.secret)
  const { endpointId } = endpoint
  const state = () => readState(server.app, org.orgId, endpointId)
  const pass = (hours: number) => passHours(server.app, org.orgId, endpointId, hours)
  const passRetries = (hours: number) => passRetryHours(server.app, org.orgId, endpointId, hours)
  const rows = <Row>(query: Parameters<typeof sql>[0], ...values: unknown[]) =>
    server.app.context.database.org(org.orgId).readRows(sql<Row>(query, ...values))
  const retries = () =>
    rows<{
      event_id: string
      tries: number
    }>`select event_id, tries from webhook_retry where endpoint_id = ${endpointId}`
  const attempts = () =>
    rows<{
      event_id: string
      number: number
      outcome: string
      status: number | null
      error: string | null
      response_excerpt: string | null
    }>`
      select event_id, number, outcome, status, error, response_excerpt from webhook_attempt
      where endpoint_id = ${endpointId} order by attempt_id`
  return { receiver, endpointId, state, pass, passRetries, retries, attempts }
}

const eventually = <Value>(read: () => Value) => expect.poll(read, patience)

describe('a refused event', () => {
  test('a refused event is tried again after its wait, does not delay later events, and is given up after ten tries', async () => {
    const org = await server.newOrg()
    const { receiver, state, passRetries, retries, attempts } = await listen(org)
    receiver.behave(({ data }) => (data.object?.email === 'bad@example.com' ? 422 : 200))
    await org.post('/contacts', { email: 'bad@example.com' })
    await org.post('/contacts', { email: 'good@example.com' })
    await eventually(() => receiver.accepted().length).toBe(1)
    for (let tries = 1; tries < 10; tries++) {
      await eventually(retries).toMatchObject([{ tries }])
      await passRetries(30)
    }
    await eventually(retries).toEqual([])
    const failed = (await attempts()).filter(({ outcome }) => outcome !== 'delivered')
    expect(failed.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(failed.at(-1)).toMatchObject({
      outcome: 'exhausted',
      status: 422,
      response_excerpt: 'answered 422',
    })
    expect(await state()).toMatchObject({ status: 'enabled', failures: 0 })
  })

  test('the 20th refused event in a row stops the endpoint, and no retries pile up', async () => {
    const org = await server.newOrg()
    const { receiver, state, retries } = await listen(org)
    receiver.behave(() => 404)
    const items = Array.from({ length: 100 }, (_, index) => ({ email: `a${index}@example.com` }))
    await org.post('/contacts/batch', { items })
    await eventually(state).toMatchObject({ failures: 1 })
    expect((await retries()).length).toBeLessThanOrEqual(20)
    receiver.behave(() => 200)
    await eventually(() => new Set(receiver.accepted().map(({ body }) => body.event_id)).size).toBe(100)
    expect(await state()).toMatchObject({ status: 'enabled' })
  })
})

describe('an endpoint in trouble', () => {
  test('an endpoint is failing after five failed tries and disabled after five days, and other endpoints get events about it', async () => {
    const org = await server.newOrg()
    const broken = await listen(org, { types: ['*'] })
    const watcher = await listen(org, { types: ['webhook_endpoint.*'] })
    broken.receiver.behave(() => 500)
    await org.post('/contacts', { email: 'ada@example.com' })
    for (let failures = 1; failures <= 6; failures++) {
      await eventually(async () => (await broken.state()).failures).toBeGreaterThanOrEqual(failures)
      await broken.pass(1)
    }
    await eventually(broken.state).toMatchObject({ status: 'failing' })
    await eventually(() => watcher.receiver.accepted()[0]?.body).toMatchObject({
      type: 'webhook_endpoint.failing',
      data: { object_id: broken.endpointId },
    })
    await broken.pass(60)
    await eventually(async () => (await broken.state()).failures).toBeGreaterThan(6)
    await broken.pass(61)
    await eventually(broken.state).toMatchObject({ status: 'disabled', disabled_reason: 'no_success' })
    await eventually(() => watcher.receiver.accepted()[1]?.body).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: { details: { reason: 'no_success' } },
    })
    const types = new Set(broken.receiver.requests.map(({ body }) => body.type))
    expect([...types]).toEqual(['contact.created'])
  })

  test('an endpoint in trouble that answers 410 is disabled at once', async () => {
    const org = await server.newOrg()
    const { receiver, state } = await listen(org)
    receiver.behave(() => 410)
    await org.post('/contacts', { email: 'ada@example.com' })
    await eventually(state).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    await org.post('/contacts', { email: 'bob@example.com' })
    expect(receiver.requests).toHaveLength(1)
  })

  test('an endpoint that always answers one event with 500 gets all other events', async () => {
    const org = await server.newOrg()
    const { receiver, state, retries } = await listen(org)
    receiver.behave(({ data }) => (data.object?.email === 'bad@example.com' ? 500 : 200))
    await org.post('/contacts', { email: 'bad@example.com' })
    await eventually(state).toMatchObject({ failures: 1 })
    await org.post('/contacts', { email: 'good@example.com' })
    await eventually(() => receiver.accepted().length).toBe(1)
    await eventually(retries).toMatchObject([{ tries: 1 }])
    expect(await state()).toMatchObject({ status: 'enabled', failures: 0 })
  })

  test.each<[string, RegExp, (receiver: Receiver) => void]>([
    [
      'redirects',
      /redirects are not followed/,
      (receiver) =>
        receiver.behave(() => (response) => response.writeHead(302, { location: receiver.url }).end()),
    ],
    [
      'answers without an end',
      /its answer has more than 16384 bytes/,
      (receiver) =>
        receiver.behave(() => (response) => {
          const more = () => {
            while (!response.destroyed && response.write('x'.repeat(1_024)));
          }
          response.on('drain', more).writeHead(200)
          more()
        }),
    ],
    [
      'closes the connection before it answers',
      /./,
      (receiver) => receiver.behave(() => (response) => response.destroy()),
    ],
  ])('an endpoint that %s has failed, and the attempt says why', async (_what, says, misbehave) => {
    const org = await server.newOrg()
    const { receiver, attempts, passRetries } = await listen(org)
    misbehave(receiver)
    await org.post('/contacts', { email: 'ada@example.com' })
    await eventually(async () => (await attempts())[0]?.error ?? '').toMatch(/./)
    const [first] = await attempts()
    expect(first).toMatchObject({ outcome: 'failed', number: 1, error: expect.stringMatching(says) })
    receiver.behave(() => 200)
    await passRetries(1)
    await eventually(() => receiver.accepted().length).toBe(1)
  })

  test('an endpoint that is enabled during a request continues at once, even if that request fails', async () => {
    const org = await server.newOrg()
    const { receiver, endpointId } = await listen(org)
    const arrived = Promise.withResolvers<() => void>()
    receiver.behave(() => (response) => arrived.resolve(() => response.writeHead(500).end()))
    await server.app.context.database.org(org.orgId).transact((tx) =>
      tx.run(sql`
        update webhook_endpoint set status = 'failing', failures = 10, first_failure_at = now(), next_probe_at = now()
        where org_id = ${org.orgId} and endpoint_id = ${endpointId}`),
    )
    await org.post('/contacts', { email: 'ada@example.com' })
    const fail = await arrived.promise
    expect((await org.post(`/webhooks/endpoints/${endpointId}/enable`)).status).toBe(200)
    receiver.behave(() => 200)
    fail()
    await eventually(() => receiver.accepted().length).toBe(1)
  })

  test('an endpoint on a private address gets nothing if private addresses are not allowed', async () => {
    const guarded = await startTestApp({ outboundAllowPrivate: false })
    try {
      const org = await guarded.newOrg()
      const receiver = await startReceiver()
      receivers.push(receiver)
      const { endpointId } = await addEndpoint(guarded.app, org.orgId, { url: receiver.url })
      await org.post('/contacts', { email: 'ada@example.com' })
      await eventually(() => readState(guarded.app, org.orgId, endpointId)).toMatchObject({ failures: 1 })
      expect(receiver.requests).toEqual([])
    } finally {
      await guarded.close({ leavesJobs: true })
    }
  })
})
