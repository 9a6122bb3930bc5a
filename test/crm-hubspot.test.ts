import { Client } from '@hubspot/api-client'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Unavailable } from '../src/crm-sync/adapters/adapter.ts'
import { hubspotAdapter } from '../src/crm-sync/adapters/hubspot.ts'
import { hubspotPace } from '../src/crm-sync/adapters/hubspot-api.ts'
import { Pace } from '../src/crm-sync/adapters/pace.ts'
import { Outbound } from '../src/platform/outbound/outbound.ts'
import { startTestApp, type TestApp, type TestOrg } from './app.ts'
import { connect, crmBase, ended, itemsOf, newContact, push, pushed } from './crm.ts'
import { HubSpotStandIn } from './stand-ins/hubspot.ts'
import { type HubSpotPortal, hubspotError, tooMany } from './stand-ins/hubspot-portal.ts'

let standIn: HubSpotStandIn
let app: TestApp
const lines: string[] = []
beforeAll(async () => {
  standIn = await HubSpotStandIn.start()
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  app = await startTestApp({ hubspotApiUrl: standIn.server.url }, undefined, log)
})
afterAll(async () => {
  await app.close()
  await standIn.server.close()
  // Of no token that any of these tests sent is there more than its end.
  for (const { token } of standIn.portals) expect(lines.join('')).not.toContain(token.slice(0, 20))
})

type Setup = { org: TestOrg; portal: HubSpotPortal; connection_id: string }

/** An org with a connection to an account of its own. */
async function newOrg(more: object = {}): Promise<Setup> {
  const portal = standIn.newPortal()
  const org = await app.newOrg()
  const credentials = { access_token: portal.token }
  const connection_id = await connect(org, { provider: 'hubspot', credentials, ...more })
  return { org, portal, connection_id }
}

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', company_name: 'Engines' }

/** So many people; their ids. */
async function newPeople(org: TestOrg, count: number): Promise<string[]> {
  const contacts = Array.from({ length: count }, (_, index) => ({
    ...{ first_name: `First${index}`, last_name: `Last${index}`, email: `person${index}@example.com` },
  }))
  const answers = await Promise.all(contacts.map((contact) => newContact(org, contact)))
  return answers
}

function expectOnce(portal: HubSpotPortal, ids: readonly string[]): void {
  const each = new Map(ids.map((id) => [id, 1]))
  expect(portal.countsOf('leads')).toEqual(each)
  expect(portal.countsOf('contacts')).toEqual(each)
}

const writes = (verb: string, object = '\\w+') => new RegExp(`^POST /crm/v3/objects/${object}/batch/${verb}$`)

describe('the stand-in speaks to the vendor’s SDK', () => {
  test('which writes and reads contacts and leads, and understands what is refused', async () => {
    const portal = standIn.newPortal()
    const { crm } = new Client({ accessToken: portal.token, basePath: standIn.server.url })
    const upsert = (email: string, firstname: string) => ({
      ...{ id: email, idProperty: 'email', properties: { firstname }, objectWriteTraceId: email },
    })
    const upserted = await crm.contacts.batchApi.upsert({
      inputs: [upsert('Ada@example.com', 'Ada'), upsert('not an address', 'Bob')],
    })
    expect(upserted).toMatchObject({
      ...{ status: 'COMPLETE', numErrors: 1, results: [{ properties: { email: 'ada@example.com' } }] },
      errors: [{ category: 'VALIDATION_ERROR', context: { objectWriteTraceId: ['not an address'] } }],
    })
    const [contact] = upserted.results
    expect(contact).toMatchObject({ _new: true })
    const types = [{ associationCategory: 'HUBSPOT_DEFINED' as const, associationTypeId: 578 }]
    const lead = (key: string, to = contact!.id) => ({
      ...{ properties: { hs_lead_name: 'Ada', crosswalk_id: key }, objectWriteTraceId: key },
      associations: [{ to: { id: to }, types: types as never }],
    })
    const { leads } = crm.objects
    const created = await leads.batchApi.create({ inputs: [lead('one'), lead('two', '1')] })
    expect(created).toMatchObject({ numErrors: 1, results: [{ properties: { crosswalk_id: 'one' } }] })
    expect(await leads.batchApi.create({ inputs: [lead('one')] })).toMatchObject({
      errors: [{ message: expect.stringContaining('CONFLICTING_UNIQUE_VALUE') }],
    })
    const read = { idProperty: 'crosswalk_id', properties: ['hs_lead_name'], propertiesWithHistory: [] }
    expect(await leads.batchApi.read({ ...read, inputs: [{ id: 'one' }, { id: 'two' }] })).toMatchObject({
      results: [{ properties: { hs_lead_name: 'Ada' } }],
      errors: [{ category: 'OBJECT_NOT_FOUND' }],
    })
    const { results } = await crm.properties.coreApi.getAll('leads')
    expect(results.find(({ name }) => name === 'crosswalk_id')).toMatchObject({ hasUniqueValue: true })
    const stranger = new Client({ accessToken: 'pat-na1-nobody', basePath: standIn.server.url })
    await expect(stranger.crm.properties.coreApi.getAll('leads')).rejects.toMatchObject({ code: 401 })
  })
})

describe('people become leads', () => {
  test('each with a contact, and are updated from then on', async () => {
    const { org, portal, connection_id } = await newOrg({ field_map: { 'custom.plan': 'plan' } })
    const id = await newContact(org, { ...ada, city: 'London', custom: { plan: 'Pro' } })
    expect(await pushed(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 1 },
    })
    const [[contact], [lead]] = [portal.contacts, portal.leads]
    expect(contact!.properties).toEqual({
      ...{ firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com', company: 'Engines' },
      ...{ city: 'London', plan: 'Pro', crosswalk_id: id },
    })
    expect(lead!.properties).toEqual({ hs_lead_name: 'Ada Lovelace', crosswalk_id: id })
    expect(lead!.associations[0]!.to.id).toBe(contact!.id)
    expect((await org.get(`/contacts/${id}`)).body.data.external_ids).toEqual({ hubspot_lead: lead!.id })
    await org.patch(`/contacts/${id}`, { city: null, last_name: 'King', email: 'ada@king.example' })
    expect(await pushed(org, { connection_id })).toMatchObject({ counts: { updated: 1 } })
    expect(portal.contacts).toMatchObject([{ properties: { lastname: 'King', email: 'ada@king.example' } }])
    expect(portal.contacts[0]!.properties).not.toHaveProperty('city')
    expect(portal.leads).toMatchObject([{ properties: { hs_lead_name: 'Ada King' } }])
    expectOnce(portal, [id])
    expect(await pushed(org, { connection_id })).toMatchObject({ counts: { unchanged: 1 } })
  })

  test('as contacts alone, that a push of leads finds again', async () => {
    const { org, portal, connection_id } = await newOrg()
    const id = await newContact(org, ada)
    expect(await pushed(org, { connection_id }, 'contacts')).toMatchObject({ counts: { created: 1 } })
    expect(portal.leads).toEqual([])
    await pushed(org, { connection_id })
    expectOnce(portal, [id])
    const ids = { hubspot_contact: portal.contacts[0]!.id, hubspot_lead: portal.leads[0]!.id }
    expect((await org.get(`/contacts/${id}`)).body.data.external_ids).toEqual(ids)
  })

  test('whom HubSpot knows by their address already, and keeps what it knew', async () => {
    const { org, portal, connection_id } = await newOrg()
    portal.add('contacts', { email: 'ada@example.com', phone: '+1 415 555 0100', lastname: 'Byron' })
    const id = await newContact(org, ada)
    expect(await pushed(org, { connection_id }, 'contacts')).toMatchObject({ counts: { updated: 1 } })
    expect(portal.contacts).toMatchObject([
      { properties: { phone: '+1 415 555 0100', lastname: 'Lovelace', crosswalk_id: id } },
    ])
  })

  test('without an address, and even without a name, by our id', async () => {
    const { org, portal, connection_id } = await newOrg()
    const id = await newContact(org, { phone: '+14155550123' })
    expect(await pushed(org, { connection_id })).toMatchObject({ counts: { created: 1 } })
    await org.patch(`/contacts/${id}`, { city: 'Paris' })
    await pushed(org, { connection_id })
    expect(portal.contacts).toMatchObject([{ properties: { lastname: '+14155550123', city: 'Paris' } }])
    expect(portal.leads).toMatchObject([{ properties: { hs_lead_name: '+14155550123' } }])
    expectOnce(portal, [id])
  })

  test('a lead that somebody deleted there is made again', async () => {
    const { org, portal, connection_id } = await newOrg()
    const id = await newContact(org, ada)
    await pushed(org, { connection_id })
    portal.records.leads.clear()
    await org.patch(`/contacts/${id}`, { city: 'Paris' })
    expect(await pushed(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expectOnce(portal, [id])
  })

  test('hundreds of them, within HubSpot’s limits', async () => {
    const { org, portal, connection_id } = await newOrg()
    portal.echoesTraceIds = true
    const ids = await newPeople(org, 250)
    expect(await pushed(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 250 },
    })
    expectOnce(portal, ids)
    expect(portal.asked.length).toBeLessThan(25)
  })
})

describe('whatever breaks, there is one lead and one contact of each', () => {
  const faults = [
    ...['drop', 'half', 'truncated'].flatMap((how) =>
      ['before', 'after'].map((when) => ({ how, when, name: `${how} ${when}` })),
    ),
    { how: 'answer', when: 'before', status: 503, name: '503 before' },
    { how: 'answer', when: 'after', status: 500, name: '500 after' },
    { how: 'answer', when: 'after', status: 504, body: '<html>', name: '504 of a gateway after' },
    {
      how: 'answer',
      when: 'before',
      status: 423,
      body: hubspotError(423, 'LOCKED', 'Locked').body,
      name: '423',
    },
  ] as const
  const places = [writes('upsert', 'contacts'), writes('create', 'leads'), writes('read', 'leads')]

  test.each(faults)('$name', async ({ name: _, ...fault }) => {
    // At once: each place's fault meets one of them, whichever comes first.
    const setups = await Promise.all(
      places.map(async () => {
        const setup = await newOrg()
        return { ...setup, ids: await newPeople(setup.org, 3) }
      }),
    )
    for (const on of places) standIn.server.fault({ on, ...(fault as { how: 'drop'; when: 'after' }) })
    await Promise.all(
      setups.map(async ({ org, portal, connection_id, ids }) => {
        const job = await pushed(org, { connection_id })
        expect(job).toMatchObject({ status: 'succeeded', error: null, counts: { created: 3 } })
        expectOnce(portal, ids)
      }),
    )
    expect(standIn.server.hasFaults).toBe(false)
  })

  test('a lead that came into being meanwhile is found by its id', async () => {
    const { org, portal, connection_id } = await newOrg()
    const [id, other] = await newPeople(org, 2)
    // The look-up does not see it, and the create then meets it.
    standIn.server.fault({
      ...{ on: writes('read', 'leads'), when: 'before', how: 'answer', status: 200 },
      body: { status: 'COMPLETE', results: [] },
    })
    const there = portal.add('leads', { crosswalk_id: id!, hs_lead_name: 'Old' })
    expect(await pushed(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expect(there.properties.hs_lead_name).toBe('First0 Last0')
    expectOnce(portal, [id!, other!])
  })

  test('a lead that HubSpot refuses a batch for is found as well', async () => {
    const { org, portal, connection_id } = await newOrg()
    const [id, other] = await newPeople(org, 2)
    const empty = { status: 'COMPLETE', results: [] }
    standIn.server.fault({
      on: writes('read', 'leads'),
      when: 'before',
      how: 'answer',
      status: 200,
      body: empty,
    })
    const { body } = hubspotError(409, 'CONFLICT', 'A lead already has that value for crosswalk_id')
    standIn.server.fault({ on: writes('create', 'leads'), when: 'before', how: 'answer', status: 409, body })
    portal.add('leads', { crosswalk_id: id!, hs_lead_name: 'Old' })
    expect(await pushed(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expectOnce(portal, [id!, other!])
  })

  test('a limit that is reached is waited for, and the job says so', async () => {
    const { org, portal, connection_id } = await newOrg()
    const ids = await newPeople(org, 1)
    const { status, body } = tooMany('SECONDLY')
    standIn.server.fault({ on: writes('upsert'), when: 'before', how: 'answer', status, body })
    const jobId = await push(org, { connection_id })
    await vi.waitFor(async () => {
      const { error } = (await org.get(`${crmBase}/jobs/${jobId}`)).body
      expect(error).toMatch(/^HubSpot’s limit of requests is reached: .*; it goes on by itself$/)
    })
    expect(await ended(org, jobId)).toMatchObject({ status: 'succeeded', error: null })
    expectOnce(portal, ids)
  })

  test.each([
    ['DAILY', 3_600],
    ['TEN_SECONDLY_ROLLING', 10],
    ['SECONDLY', 1],
  ])('a limit %s leaves HubSpot alone for %i seconds', async (policy, seconds) => {
    const portal = standIn.newPortal()
    const outbound = new Outbound({ allowPrivate: false })
    const access = { outbound, apiUrl: standIn.server.url, pace: new Pace(hubspotPace) }
    const adapter = hubspotAdapter(access, {
      ...{ connectionId: policy, token: portal.token, keyField: 'crosswalk_id' },
    })
    const { status, body } = tooMany(policy)
    standIn.server.fault({ when: 'before', how: 'answer', status, body })
    const error = await adapter.problems('lead').catch((thrown) => thrown)
    expect(error).toBeInstanceOf(Unavailable)
    expect(error).toMatchObject({ afterSeconds: seconds })
  })
})

describe('what has to be seen to', () => {
  test('a token that is not taken, until one is that is', async () => {
    const { org, portal, connection_id } = await newOrg()
    const ids = await newPeople(org, 2)
    const good = portal.token
    portal.token = 'pat-na1-another-one-of-this-test'
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error).toMatch(
      /^HubSpot does not take the access token: .*PATCH \/integrations\/crm-sync\/connections/,
    )
    const at = `${crmBase}/connections/${connection_id}`
    expect((await org.get(at)).body.data).toMatchObject({
      status: 'needs_attention',
      status_reason: job.error,
    })
    expect((await org.post(`${at}/test`)).body.data).toMatchObject({ works: false })
    const credentials = { access_token: portal.token }
    expect((await org.patch(at, { credentials })).body.data).toMatchObject({
      status: 'ok',
      status_reason: null,
    })
    expect((await org.post(`${at}/test`)).body.data).toMatchObject({
      ...{ works: true, lead: { works: true, problems: [] }, contact: { works: true, problems: [] } },
    })
    expect(await pushed(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 2 },
    })
    expectOnce(portal, ids)
    const seen = standIn.server.requests.flatMap(({ headers }) => headers.authorization ?? [])
    expect(seen).toContain(`Bearer ${good}`)
  })

  test.each([
    [
      'missing',
      undefined,
      /^HubSpot has no property crosswalk_id of leads, which keeps our id: create a property/,
    ],
    [
      'not unique',
      { name: 'crosswalk_id', type: 'string' },
      /^HubSpot’s property crosswalk_id of leads is none/,
    ],
  ])('a property of ours that is %s: nothing is pushed', async (_, property, words) => {
    const { org, portal, connection_id } = await newOrg()
    await newPeople(org, 2)
    portal.properties.leads = portal.properties.leads.filter(({ name }) => name !== 'crosswalk_id')
    if (property) portal.properties.leads.push(property)
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error).toMatch(words)
    const { body } = await org.post(`${crmBase}/connections/${connection_id}/test`)
    expect(body.data).toMatchObject({
      works: true,
      contact: { works: true },
      lead: { problems: [job.error] },
    })
    expect([...portal.contacts, ...portal.leads]).toEqual([])
  })

  test('another property may keep our id', async () => {
    const portal = standIn.newPortal('our_person')
    const org = await app.newOrg()
    const connection_id = await connect(org, {
      ...{ provider: 'hubspot', credentials: { access_token: portal.token } },
      settings: { external_id_field: 'our_person' },
    })
    const id = await newContact(org, ada)
    expect(await pushed(org, { connection_id })).toMatchObject({ counts: { created: 1 } })
    expect(portal.countsOf('leads', 'our_person')).toEqual(new Map([[id, 1]]))
  })

  test('an account without leads, where contacts work', async () => {
    const { org, portal, connection_id } = await newOrg()
    await newPeople(org, 1)
    portal.hasLeads = false
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error).toMatch(/crm\.objects\.leads\.write.*Sales Hub Professional.*contacts\/push$/)
    const { body } = await org.post(`${crmBase}/connections/${connection_id}/test`)
    expect(body.data).toMatchObject({
      works: true,
      contact: { works: true },
      lead: { problems: [job.error] },
    })
    expect(await pushed(org, { connection_id }, 'contacts')).toMatchObject({ counts: { created: 1 } })
  })

  test('a field that goes to a property that there is not fails the job, not each person', async () => {
    const { org, portal, connection_id } = await newOrg({ field_map: { tags: 'no_such_thing' } })
    await newContact(org, { ...ada, tags: ['vip'] })
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect(job.error).toMatch(/^Property "no_such_thing" does not exist.*Change field_map/)
    const { body } = await org.post(`${crmBase}/connections/${connection_id}/test`)
    expect(body.data.lead.problems).toEqual([
      expect.stringMatching(/no_such_thing, where tags goes, is not there/),
    ])
    expect(portal.contacts).toEqual([])
  })
})

describe('people whom HubSpot refuses', () => {
  test('fail alone, in its words, and a retry pushes those alone', async () => {
    const { org, portal, connection_id } = await newOrg({
      field_map: { 'custom.label': 'lead.hs_lead_label' },
    })
    const [well] = await newPeople(org, 1)
    const lost = await newContact(org, { first_name: 'No', last_name: 'Address', email: 'lost@example.c0m' })
    const cold = await newContact(org, { ...ada, custom: { label: 'TEPID' } })
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 1, failed: 2 } })
    const failed = await itemsOf(org, job.job_id, '&outcome=failed')
    expect(new Map(failed.map((item) => [item.contact_id, item.error]))).toEqual(
      new Map([
        [lost, 'Email address lost@example.c0m is invalid'],
        [cold, 'TEPID was not one of the allowed options: [HOT, WARM, COLD]'],
      ]),
    )
    expect(portal.leads).toMatchObject([{ properties: { crosswalk_id: well } }])
    await org.patch(`/contacts/${lost}`, { email: 'found@example.com' })
    await org.patch(`/contacts/${cold}`, { custom: { label: 'HOT' } })
    const before = standIn.server.requests.length
    const { body } = await org.post(`${crmBase}/jobs/${job.job_id}/retry`)
    expect(await ended(org, body.job_id)).toMatchObject({ status: 'succeeded', population: 2 })
    const since = standIn.server.requests.slice(before).map((request) => request.body)
    expect(since.join('')).not.toContain(well)
    expectOnce(portal, [well!, lost, cold])
  })

  test('a batch that HubSpot refuses as a whole goes through but for whose fault that is', async () => {
    const { org, portal, connection_id } = await newOrg()
    const ids = await newPeople(org, 4)
    const { body } = hubspotError(400, 'VALIDATION_ERROR', 'Something of one of them')
    for (const _ of ids.slice(2))
      standIn.server.fault({ on: writes('upsert'), when: 'before', how: 'answer', status: 400, body })
    standIn.server.fault({ on: writes('upsert'), when: 'before', how: 'answer', status: 400, body })
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 3, failed: 1 } })
    expect(await itemsOf(org, job.job_id, '&outcome=failed')).toMatchObject([
      { error: 'Something of one of them' },
    ])
    expect(portal.leads).toHaveLength(3)
  })

  test('two people with one address: HubSpot has one contact for it, and the second fails and says so', async () => {
    const { org, portal, connection_id } = await newOrg()
    const first = await newContact(org, ada)
    const second = await newContact(org, { ...ada, first_name: 'Augusta', email: 'ADA@example.com' })
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 1, failed: 1 } })
    const [item] = await itemsOf(org, job.job_id, '&outcome=failed')
    expect(item).toMatchObject({ contact_id: second })
    expect(item!.error).toMatch(
      new RegExp(`one contact for an address.*that of contact ${first}: merge the two`),
    )
    expectOnce(portal, [first])
    // Alone, it meets the contact that is there.
    const again = await pushed(org, { connection_id, contact_ids: [second] })
    expect((await itemsOf(org, again.job_id))[0]!.error).toMatch(new RegExp(`whose crosswalk_id is ${first}`))
    expect(portal.contacts).toMatchObject([{ properties: { firstname: 'Ada' } }])
    await org.patch(`/contacts/${second}`, { email: 'augusta@example.com' })
    expect(await pushed(org, { connection_id })).toMatchObject({ counts: { created: 1, unchanged: 1 } })
    expectOnce(portal, [first, second])
  })

  test('an address that is another contact’s there is no reason to touch that one', async () => {
    const { org, portal, connection_id } = await newOrg()
    const id = await newContact(org, ada)
    await pushed(org, { connection_id })
    portal.add('contacts', { email: 'king@example.com' })
    await org.patch(`/contacts/${id}`, { email: 'king@example.com' })
    const job = await pushed(org, { connection_id })
    const [item] = await itemsOf(org, job.job_id)
    expect(item!.error).toMatch(
      /^Contact already exists\. Existing ID: \d+: HubSpot has this address .* merge the two/,
    )
    expect(portal.contacts.map(({ properties }) => properties.email)).toEqual([
      ...['ada@example.com', 'king@example.com'],
    ])
  })
})

test('a key of test mode does not reach HubSpot', async () => {
  const { org, portal, connection_id } = await newOrg()
  await newContact(org, ada)
  const tester = await app.newKey(org.orgId, { mode: 'test' })
  expect(await pushed(tester, { connection_id })).toMatchObject({ status: 'succeeded', mode: 'test' })
  expect((await tester.post(`${crmBase}/connections/${connection_id}/test`)).body.data.works).toBe(true)
  expect(portal.asked).toEqual([])
})

test('the token shows up in no answer and no event, even if HubSpot says it', async () => {
  const { org, portal, connection_id } = await newOrg()
  await newPeople(org, 2)
  const said = `The token ${portal.token} is on fire`
  for (const [status, category] of [
    [503, 'INTERNAL'],
    [400, 'VALIDATION_ERROR'],
    [403, 'BANNED'],
  ] as const) {
    const { body } = hubspotError(status, category, said)
    standIn.server.fault({ on: writes('upsert'), when: 'before', how: 'answer', status, body })
  }
  expect((await pushed(org, { connection_id })).error).toMatch(/The token … is on fire/)
  standIn.server.fault({
    when: 'before',
    how: 'answer',
    status: 401,
    body: hubspotError(401, 'X', said).body,
  })
  await pushed(org, { connection_id })
  const test = `${crmBase}/connections/${connection_id}/test`
  standIn.server.fault({
    when: 'before',
    how: 'answer',
    status: 500,
    body: hubspotError(500, 'X', said).body,
  })
  const texts = [(await org.post(test)).text]
  for (const path of [`${crmBase}/connections`, `${crmBase}/jobs`, '/events', '/contacts'])
    texts.push((await org.get(path)).text)
  expect(texts.join('')).toContain('is on fire')
  expect(texts.join('')).not.toContain(portal.token)
})
