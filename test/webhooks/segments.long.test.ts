import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { readEndpoint } from '../../src/webhooks/delivery/endpoint.ts'
import { ReplayQueue } from '../../src/webhooks/delivery/replay-queue.ts'
import { disableWithInvalidSegment } from '../../src/webhooks/segment.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { merge } from '../support/merges.ts'
import { patience } from '../support/patience.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

let app: TestApp
let org: TestOrg
let segmentId: string
const receivers: Receiver[] = []
beforeAll(async () => {
  app = await startTestApp({ outboundAllowPrivate: true })
})
beforeEach(async () => {
  org = await app.newOrg()
  segmentId = await newSegment({ filter: { field: 'city', value: 'London' } })
})
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close()
})
afterAll(() => app.close())

const newSegment = async (fields: object): Promise<string> =>
  (await org.post('/segments', { entity: 'contact', name: 'Londoners', ...fields })).body.data.segment_id
const addEndpoint = (fields: object, client: TestOrg = org) =>
  client.post('/webhooks/endpoints', {
    ...{ url: 'https://crm.example.com/crosswalk', types: ['*'], segment_id: segmentId },
    ...fields,
  })

async function listen(fields: object = {}) {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const { status, body } = await addEndpoint({ url: receiver.url, ...fields })
  expect([status, body.detail]).toEqual([201, undefined])
  receiver.secrets.push(body.data.secret)
  return { receiver, endpointId: body.data.endpoint_id as string }
}

const add = async (fields: object) => (await org.post('/contacts', fields)).body.data.contact_id as string
const change = (id: string, fields: object) => org.patch(`/contacts/${id}`, fields)
const eventsOf = (receiver: Receiver) =>
  receiver.accepted().map(({ body }) => `${body.type} ${body.data.object_id}`)
const gets = (receiver: Receiver, events: readonly string[]) =>
  expect.poll(() => eventsOf(receiver), patience).toEqual(events)

describe('an endpoint with a segment', () => {
  test('an endpoint with a segment gets the events of records in the segment, and of all records that are gone', async () => {
    const { receiver } = await listen()
    // The delivery looks at records as they are then, so Bob's event must be done before Bob moves: Ada's comes after it.
    const [bob, cy, ada] = [
      await add({ first_name: 'Bob', city: 'Paris' }),
      await add({ first_name: 'Cy', city: 'Paris' }),
      await add({ first_name: 'Ada', city: 'London' }),
    ]
    await org.post('/companies', { name: 'Initech', city: 'London' })
    await gets(receiver, [`contact.created ${ada}`])
    await change(bob, { city: 'London' })
    await gets(receiver, [`contact.created ${ada}`, `contact.updated ${bob}`])
    await change(ada, { city: 'Rome' })
    await change(bob, { job_title: 'Baker' })
    await org.delete(`/contacts/${ada}`)
    await org.post(`/contacts/${ada}/erase`)
    await merge(org, 'contact', bob, cy)
    const before = [`contact.created ${ada}`, `contact.updated ${bob}`, `contact.updated ${bob}`]
    const gone = ['archived', 'erased'].map((verb) => `contact.${verb} ${ada}`)
    const merged = [bob, cy].map((id) => `contact.merged ${id}`)
    const all = [...before, ...gone, ...merged]
    await expect.poll(() => eventsOf(receiver).toSorted(), patience).toEqual(all.toSorted())
  })

  test('an endpoint with a segment follows a change of the filter, and gets all events again without a segment', async () => {
    const { receiver, endpointId } = await listen({ types: ['contact.*'] })
    await org.patch(`/segments/${segmentId}`, { filter: { field: 'city', value: 'Paris' }, q: 'bob' })
    await add({ first_name: 'Ada', city: 'London' })
    const bob = await add({ first_name: 'Bob', city: 'Paris' })
    await gets(receiver, [`contact.created ${bob}`])
    const freed = await org.patch(`/webhooks/endpoints/${endpointId}`, { segment_id: null })
    expect(freed.body.data).toMatchObject({ segment_id: null, version: 2 })
    const ada = await add({ first_name: 'Ada', city: 'London' })
    await gets(receiver, [`contact.created ${bob}`, `contact.created ${ada}`])
  })

  test('an endpoint with a segment gets in a replay the events of records that are in the segment now', async () => {
    const { receiver, endpointId } = await listen()
    const ada = await add({ first_name: 'Ada', city: 'London' })
    await gets(receiver, [`contact.created ${ada}`])
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, n) => add({ first_name: `P${n}`, city: 'Rome' })),
    )
    // Once Bob's event has come, the delivery has looked at all people in Rome.
    const bob = await add({ first_name: 'Bob', city: 'London' })
    const before = [`contact.created ${ada}`, `contact.created ${bob}`]
    await gets(receiver, before)
    await change(ids[0]!, { city: 'London' })
    await change(ada, { city: 'Rome' })
    await gets(receiver, [...before, `contact.updated ${ids[0]}`])
    const from = Math.floor(Date.now() / 1000) - 3_600
    const replay = await org.post(`/webhooks/endpoints/${endpointId}/replay`, { from })
    const again = [`contact.created ${ids[0]}`, `contact.created ${bob}`, `contact.updated ${ids[0]}`]
    await gets(receiver, [...before, `contact.updated ${ids[0]}`, ...again])
    const path = `/webhooks/replays/${replay.body.data.replay_id}`
    await expect
      .poll(async () => (await org.get(path)).body.data, patience)
      .toMatchObject({ status: 'finished', sent: 3 })
  })

  test('a turn of a replay ends after 20 pages without an event in the segment, and the next turn continues from there', async () => {
    const created = (await addEndpoint({ types: ['contact.*'] })).body.data.endpoint_id as string
    const { database, readMembers, secrets } = app.app.context
    const handle = database.org(org.orgId)
    const [replayId, from] = [newId(), new Date(Date.now() - 3_600_000)]
    await handle.transact(async (tx) => {
      // The server replays nothing to an endpoint in trouble.
      await tx.run(sql`
        update webhook_endpoint set next_probe_at = now() + interval '1 day'
        where org_id = ${tx.orgId} and endpoint_id = ${created}`)
      await tx.run(sql`
        insert into webhook_replay (org_id, replay_id, endpoint_id, from_time, to_time, failed_only, created_at)
        values (${tx.orgId}, ${replayId}, ${created}, ${from}, now() + interval '1 hour', false, now())`)
    })
    for (let n = 0; n < 21; n++) await add({ first_name: `P${n}`, city: 'Rome' })
    const ada = await add({ first_name: 'Ada', city: 'London' })
    const endpoint = await handle.read((tx) => readEndpoint(tx, secrets, created))
    const queue = new ReplayQueue(handle, endpoint!, replayId, readMembers, (orgId) => database.org(orgId))
    expect(await queue.next(1)).toBeNull()
    expect((await org.get(`/webhooks/replays/${replayId}`)).body.data.status).toBe('running')
    expect((await queue.next(1))?.items).toMatchObject([{ objectId: ada }])
  })

  test('an endpoint with a segment is disabled while the filter is not valid, and then gets the events that waited', async () => {
    await org.patch('/organization', { default_country: 'GB' })
    segmentId = await newSegment({ filter: { field: 'phone', value: '020 7946 0000' } })
    const { receiver, endpointId } = await listen()
    await org.patch('/organization', { default_country: null })
    const ada = await add({ first_name: 'Ada', phone: '+442079460000' })
    const show = async () => (await org.get(`/webhooks/endpoints/${endpointId}`)).body.data
    await expect.poll(async () => (await show()).disabled_reason, patience).toBe('segment_invalid')
    expect(receiver.requests).toEqual([])
    const [event] = (await org.get(`/events?object_id=${endpointId}`)).body.data
    expect(event).toMatchObject({ type: 'webhook_endpoint.disabled', data: { reason: 'segment_invalid' } })
    await org.patch(`/segments/${segmentId}`, { filter: { field: 'phone', value: '+442079460000' } })
    await org.post(`/webhooks/endpoints/${endpointId}/enable`)
    await gets(receiver, [`contact.created ${ada}`])
  })
})

test('an endpoint that gets another segment during a delivery is not disabled because of the earlier segment', async () => {
  const { endpoint_id: id, version } = (await addEndpoint({})).body.data
  const other = await newSegment({ name: 'Parisians', filter: { field: 'city', value: 'Paris' } })
  expect((await org.patch(`/webhooks/endpoints/${id}`, { segment_id: other })).status).toBe(200)
  await app.operateOn(org.orgId, (tx) => disableWithInvalidSegment(tx, id, version))
  expect((await org.get(`/webhooks/endpoints/${id}`)).body.data.status).toBe('enabled')
})

test('an endpoint is refused with a segment that cannot select its events', async () => {
  const refusals = [
    [{ segment_id: crypto.randomUUID() }, 404, 'reference_not_found'],
    [{ types: ['deal.*', 'company.created'] }, 422, 'validation_failed'],
  ] as const
  for (const [fields, status, code] of refusals) {
    const answer = await addEndpoint(fields)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  }
  const reader = await app.newKey(org.orgId, { permissions: ['deals:read', 'webhooks:manage'] })
  const forbidden = await addEndpoint({}, reader)
  expect([forbidden.status, forbidden.body.code]).toEqual([403, 'permission_missing'])
  const agency = await app.newAgency()
  const segment = await agency.post('/segments', { entity: 'deal', name: 'All' })
  const fields = { segment_id: segment.body.data.segment_id, include_clients: true }
  const both = await addEndpoint(fields, agency)
  expect([both.status, both.body.detail]).toMatchObject([422, [{ loc: ['body', 'segment_id'] }]])
})

test('a segment that an endpoint uses cannot be deleted', async () => {
  const { endpoint_id: id } = (await addEndpoint({})).body.data
  const refused = await org.delete(`/segments/${segmentId}`)
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    ...[409, 'segment_in_use', expect.stringContaining(id)],
  ])
  await org.delete(`/webhooks/endpoints/${id}`)
  expect((await org.delete(`/segments/${segmentId}`)).status).toBe(204)
})
