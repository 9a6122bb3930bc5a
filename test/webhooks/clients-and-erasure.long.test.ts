import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/db/new-id.ts'
import { rawSql, sql, unprepared } from '../../src/platform/db/sql.ts'
import { loggedError } from '../../src/platform/log.ts'
import { readEndpoint } from '../../src/webhooks/delivery/endpoint.ts'
import { ReplayQueue } from '../../src/webhooks/delivery/replay-queue.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { addEndpoint, type EndpointOptions, passRetryHours } from '../support/webhooks/endpoints.ts'
import { type Received, type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

const logged: string[] = []
const log = pino(
  { level: 'trace', serializers: { err: loggedError } },
  { write: (line) => void logged.push(line) },
)
let server: TestApp
const receivers: Receiver[] = []
beforeAll(async () => {
  server = await startTestApp({ outboundAllowPrivate: true }, undefined, log)
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
  return { receiver, endpointId: endpoint.endpointId }
}

describe('an endpoint of an agency with include_clients', () => {
  test('only an endpoint of an agency with include_clients gets the events of each client, while the link lasts', async () => {
    const agency = await server.newAgency()
    const all = await listen(agency, { includeClients: true })
    const own = await listen(agency)
    const { body } = await agency.post('/agency/clients', { name: 'Initech' })
    const clientId = body.data.org_id
    const asClient = { headers: { 'X-Target-Org-Id': clientId } }
    await agency.post('/contacts', { email: 'ada@example.com' }, asClient)
    await agency.post('/contacts', { email: 'own@example.com' })
    await expect.poll(() => all.receiver.accepted().length, patience).toBe(2)
    expect(
      all.receiver
        .accepted()
        .map(({ body: each }) => each.org_id)
        .sort(),
    ).toEqual([agency.orgId, clientId].sort())
    const ofClient = all.receiver.accepted().find(({ body: each }) => each.org_id === clientId)
    expect(ofClient?.body.data.object?.email).toBe('ada@example.com')
    await agency.delete(`/agency/clients/${clientId}`)
    const client = await server.newKey(clientId)
    await client.post('/contacts', { email: 'later@example.com' })
    await agency.post('/contacts', { email: 'last@example.com' })
    await expect.poll(() => own.receiver.accepted().length, patience).toBe(2)
    await expect.poll(() => all.receiver.accepted().length, patience).toBe(3)
    expect(all.receiver.requests.some(({ text }) => text.includes('later@example.com'))).toBe(false)
  })
})

test('a replay to an agency sends the events of all its clients in the order of their ids', async () => {
  const agency = await server.newAgency()
  const { receiver, endpointId } = await listen(agency, { includeClients: true })
  const orgIds: string[] = []
  for (const name of ['Initech', 'Hooli']) {
    const { body } = await agency.post('/agency/clients', { name })
    orgIds.push(body.data.org_id)
  }
  const emails = Array.from({ length: 12 }, (_, n) => `ada${n}@example.com`)
  for (const [n, email] of emails.entries()) {
    const orgId = [agency.orgId, ...orgIds][n % 3]!
    await agency.post('/contacts', { email }, { headers: { 'X-Target-Org-Id': orgId } })
  }
  await expect.poll(() => receiver.accepted().length, patience).toBe(12)
  const { context } = server.app
  const { database, readMembers, secrets } = context
  const handle = database.org(agency.orgId)
  const replayId = newId()
  await handle.transact(async (tx) => {
    await tx.run(sql`
      update webhook_endpoint set next_probe_at = now() + interval '1 day'
      where org_id = ${tx.orgId} and endpoint_id = ${endpointId}`)
    await tx.run(sql`
      insert into webhook_replay (org_id, replay_id, endpoint_id, from_time, to_time, failed_only, created_at)
      values (${tx.orgId}, ${replayId}, ${endpointId}, now() - interval '1 hour', now() + interval '1 hour', false, now())`)
  })
  const endpoint = await handle.read((tx) => readEndpoint(tx, secrets, endpointId))
  const queue = new ReplayQueue(handle, endpoint!, replayId, readMembers, (orgId) => database.org(orgId))
  for (const limit of [1, 3, 5, 12, 50]) {
    const sent = (await queue.next(limit))?.items.map(({ sourceOrgId }) => sourceOrgId)
    const all = emails.map((_, n) => [agency.orgId, ...orgIds][n % 3])
    expect(sent).toEqual(all.slice(0, limit))
  }
})

describe('the events of a client', () => {
  const path = '/webhooks/endpoints'

  /** Sends an event of a client to an agency's endpoint. `answer` refuses the event with 422. */
  async function refuseEvent() {
    const agency = await server.newAgency()
    const { receiver, endpointId } = await listen(agency, { includeClients: true })
    const { body } = await agency.post('/agency/clients', { name: 'Initech' })
    const clientId: string = body.data.org_id
    const arrived = Promise.withResolvers<() => void>()
    receiver.behave(() => (response) => arrived.resolve(() => response.writeHead(422).end()))
    await agency.post('/contacts', { first_name: 'Ada' }, { headers: { 'X-Target-Org-Id': clientId } })
    const at = `${path}/${endpointId}`
    const retries = async () => (await agency.get(`${at}/stats`)).body.data.waiting_retries
    const attempts = async () => (await agency.get(`${at}/attempts`)).body.data
    return { agency, clientId, at, answer: await arrived.promise, retries, attempts }
  }

  test('events of a client are not tried again once include_clients is false', async () => {
    const { agency, at, answer, retries } = await refuseEvent()
    answer()
    await expect.poll(retries, patience).toBe(1)
    expect((await agency.patch(at, { include_clients: false })).status).toBe(200)
    expect(await retries()).toBe(0)
  })

  test('events of a client are not tried again if the link ends while a request is running', async () => {
    const { agency, clientId, answer, retries, attempts } = await refuseEvent()
    await agency.delete(`/agency/clients/${clientId}`)
    answer()
    await expect.poll(async () => (await attempts()).length, patience).toBe(1)
    expect(await retries()).toBe(0)
  })

  test('the events of a client cannot be sent again after the link has ended', async () => {
    const { agency, clientId, at, answer, attempts } = await refuseEvent()
    answer()
    await expect.poll(async () => (await attempts()).length, patience).toBe(1)
    await agency.delete(`/agency/clients/${clientId}`)
    const [{ event_id: eventId }] = await attempts()
    expect((await agency.post(`${at}/events/${eventId}/resend`)).status).toBe(404)
  })

  test('a replay of a failing endpoint runs although the event for its next probe belongs to a former client', async () => {
    const agency = await server.newAgency()
    const { receiver, endpointId } = await listen(agency, { includeClients: true })
    await agency.post('/contacts', { first_name: 'Own' })
    await expect.poll(() => receiver.accepted().length, patience).toBe(1)
    const { body } = await agency.post('/agency/clients', { name: 'Initech' })
    const clientId: string = body.data.org_id
    receiver.behave(() => 500)
    await agency.post('/contacts', { first_name: 'Ada' }, { headers: { 'X-Target-Org-Id': clientId } })
    const at = `${path}/${endpointId}`
    const failures = async () => (await agency.get(at)).body.data.failures
    await expect.poll(failures, patience).toBeGreaterThan(0)
    await agency.delete(`/agency/clients/${clientId}`)
    receiver.behave(() => 200)
    const replay = (await agency.post(`${at}/replay`, { from: 1 })).body.data.replay_id
    const passMinute = () =>
      server.operate((tx) =>
        tx.run(sql`
          update webhook_endpoint set next_probe_at = now() - interval '1 minute'
          where endpoint_id = ${endpointId} and next_probe_at is not null`),
      )
    const statusOfReplay = async () => {
      await passMinute()
      return (await agency.get(`/webhooks/replays/${replay}`)).body.data.status
    }
    await expect.poll(statusOfReplay, { ...patience, interval: 250 }).toBe('finished')
    expect(receiver.accepted().map(({ body: each }) => each.org_id)).toEqual([agency.orgId, agency.orgId])
    expect((await agency.get(at)).body.data).toMatchObject({
      status: 'enabled',
      failures: 0,
      next_probe_at: null,
    })
  })

  test('events of a former client leave no retry, so that no job is enqueued for it again and again', async () => {
    const { agency, clientId, at, answer, retries } = await refuseEvent()
    answer()
    await expect.poll(retries, patience).toBe(1)
    await agency.delete(`/agency/clients/${clientId}`)
    const endpointId = at.slice(path.length + 1)
    await server.operate((tx) =>
      tx.run(sql`
        insert into webhook_retry (org_id, endpoint_id, event_id, source_org_id, kind, tries, next_at)
        values (${agency.orgId}, ${endpointId}, ${newId()}, ${clientId}, 'replay', 1, now())`),
    )
    await expect.poll(retries, patience).toBe(0)
  })
})

describe('an erased contact', () => {
  test('an erasure leaves nothing of a contact in attempts, retries, jobs and logs, and a later retry does not show it', async () => {
    const org = await server.newOrg()
    const { receiver, endpointId } = await listen(org)
    // The receiver repeats the event in its answer.
    receiver.behave((got) => (response) => response.writeHead(422).end(echo(got)))
    const { body } = await org.post('/contacts', {
      ...{ email: 'sesame@example.com', first_name: 'Sesame', phone: '+14155550173' },
    })
    await expect.poll(() => hasRowsOf(org, 'webhook_attempt'), patience).toBe(true)
    expect(await hasRowsOf(org, 'webhook_retry')).toBe(false)
    await org.post(`/contacts/${body.data.contact_id}/erase`)
    receiver.behave(() => 200)
    await passRetryHours(server.app, org.orgId, endpointId, 1)
    await expect.poll(() => receiver.accepted().length, patience).toBe(2)
    for (const { text } of receiver.accepted()) expect(text).not.toMatch(personal)
    const types = receiver.accepted().map((each) => each.body.type)
    expect(types.sort()).toEqual(['contact.created', 'contact.erased'])
    // Nothing is sent again after the last retry.
    await expect
      .poll(
        () => server.operate((tx) => tx.run(sql`select from webhook_retry where org_id = ${org.orgId}`)),
        patience,
      )
      .toBe(0)
    const ofWebhooks = await server.operate((tx) =>
      tx.rows(sql<{ name: string }>`
        select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relname like 'webhook\\_%' and c.relkind = 'r' and a.attname = 'org_id'`),
    )
    expect(ofWebhooks.length).toBeGreaterThan(5)
    for (const table of [...ofWebhooks.map(({ name }) => name), 'event'])
      expect([table, await hasRowsOf(org, table)]).toEqual([table, false])
    // Include finished and failed jobs, with their output.
    const jobs = await server.operate((tx) => tx.rows(sql`select j::text as job from pgboss.job j`))
    expect(JSON.stringify(jobs)).not.toMatch(personal)
    expect(logged.filter((line) => line.includes('deliver_webhooks')).length).toBeGreaterThan(0)
    expect(logged.filter((line) => personal.test(line))).toEqual([])
  })

  test('an attempt that runs during an erasure stores nothing of the erased contact', async () => {
    const org = await server.newOrg()
    const { receiver } = await listen(org)
    const arrived = Promise.withResolvers<() => void>()
    receiver.behave((got) => (response) => arrived.resolve(() => response.writeHead(422).end(echo(got))))
    const { body } = await org.post('/contacts', { email: 'sesame@example.com' })
    const answer = await arrived.promise
    await org.post(`/contacts/${body.data.contact_id}/erase`)
    receiver.behave(() => 200)
    answer()
    await expect.poll(() => receiver.accepted().length, patience).toBe(1)
    expect(await hasRowsOf(org, 'webhook_attempt')).toBe(false)
  })
})

/** The receiver's answer repeats personal data, so the stored excerpt of the answer contains them. */
const echo = ({ data: { object } }: Received) =>
  JSON.stringify([object?.email, object?.first_name, object?.phone])

/** The erased contact's name, e-mail address and phone number. */
const personal = /sesame|4155550173|415.{0,2}555.{0,2}0173/i

/** Whether a table contains a value of the erased contact. */
async function hasRowsOf(org: TestOrg, table: string): Promise<boolean> {
  const rows = await server.operate((tx) =>
    tx.rows(unprepared(sql`select t::text as row from ${rawSql(table)} t where org_id = ${org.orgId}`)),
  )
  return personal.test(JSON.stringify(rows))
}
