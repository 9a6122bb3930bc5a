import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import {
  crmBase,
  itemsOf,
  newContact,
  newContacts,
  push,
  pushAndWait,
  untilJobEnds,
} from '../support/crm-sync/crm.ts'
import {
  connectSalesforce,
  expectOneEach,
  newPeople,
  person,
  tested,
} from '../support/crm-sync/salesforce.ts'
import {
  apiError,
  limitExceeded,
  locked,
  rowFault,
  SalesforceStandIn,
  tooMany,
} from '../support/stand-ins/salesforce.ts'
import type { Fault } from '../support/stand-ins/server.ts'

let standIn: SalesforceStandIn
let app: TestApp
beforeAll(async () => {
  standIn = await SalesforceStandIn.start()
  const config = { salesforceLoginUrl: standIn.server.url, outboundAllowPrivate: true }
  app = await startTestApp(config)
})
afterAll(async () => {
  await app.close()
  await standIn.close()
})

const connected = (body: object = {}) => connectSalesforce(app, standIn, body)

describe('pushes', () => {
  test('a push to Salesforce creates one Lead for each Crosswalk id, and later pushes update the Lead', async () => {
    const { org, crm, connection_id } = await connected()
    const fields = { job_title: 'Countess', phone: '+14155550123', company_name: 'Engines', city: 'London' }
    const contact = await newContact(org, person(fields))
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 1 },
    })
    const [lead] = crm.records.Lead!
    expect(lead).toMatchObject({
      ...{ FirstName: 'Ada', Title: 'Countess', Phone: '+14155550123', Company: 'Engines', City: 'London' },
      Crosswalk_Id__c: contact,
    })
    const { body } = await org.get(`/contacts/${contact}`)
    expect(body.data.external_ids).toEqual({ salesforce_lead: lead!.Id })
    await org.patch(`/contacts/${contact}`, { city: null })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { updated: 1 } })
    expect(crm.records.Lead).toMatchObject([{ City: null, Title: 'Countess' }])
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { unchanged: 1 } })
  })

  test('a push of contacts creates Contacts in Salesforce, and no Leads', async () => {
    const { org, crm, connection_id } = await connected()
    const contact = await newContact(org, person({ city: 'London' }))
    expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({ counts: { created: 1 } })
    expect(crm.records.Contact).toMatchObject([{ Crosswalk_Id__c: contact, MailingCity: 'London' }])
    expect(crm.records.Lead).toEqual([])
  })

  test('a push to Salesforce sends 200 people in a request', async () => {
    const { org, crm, connection_id } = await connected()
    await newPeople(org, 450)
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'succeeded', counts: { created: 450 } })
    // The first new person is sent alone, to see whether Salesforce keeps Crosswalk's id.
    expect([...crm.batches].sort((a, b) => a - b)).toEqual([1, 50, 199, 200])
    expect(new Set(crm.records.Lead!.map((lead) => lead.Crosswalk_Id__c)).size).toBe(450)
  })

  test('a push to Salesforce with an API key of test mode sends no request to Salesforce', async () => {
    const { org, crm, connection_id } = await connected()
    await newPeople(org, 1)
    const tester = await app.newKey(org.orgId, { mode: 'test' })
    const before = standIn.server.requests.length
    expect(await pushAndWait(tester, { connection_id })).toMatchObject({ mode: 'test', status: 'succeeded' })
    expect((await tested(tester, connection_id)).works).toBe(true)
    expect(standIn.server.requests.length).toBe(before)
    expect(crm.usedRequests).toBe(0)
  })
})

describe.concurrent('faults', () => {
  const lost = (how: Fault['how'], when: Fault['when']): Fault => ({ on: /^PATCH .*composite/, how, when })

  test.each([
    ['an answer is lost', lost('drop', 'after')],
    ['a request is lost', lost('drop', 'before')],
    ['the connection breaks in the middle of an answer', lost('half', 'after')],
    ['an answer is cut short', lost('truncated', 'after')],
    ['Salesforce answers 500 after it stored the records', { ...lost('answer', 'after'), status: 500 }],
    ['Salesforce answers 503 before it stores the records', { ...lost('answer', 'before'), status: 503 }],
    [
      'a proxy answers with an HTML page',
      { ...lost('answer', 'after'), status: 200, body: '<html>maintenance</html>' },
    ],
    ['an answer has too few results', { ...lost('answer', 'after'), status: 200, body: [] }],
    ['the description of the fields is cut short', { on: /describe/, how: 'truncated', when: 'after' }],
  ] satisfies [string, Fault][])('each person has exactly one Lead, even if %s', async (_name, fault) => {
    const { org, crm, connection_id } = await connected()
    const ids = await newPeople(org, 3)
    const server = await standIn.serve(crm)
    server.fault(fault)
    const job = await pushAndWait(org, { connection_id })
    expect(server.hasFaults).toBe(false)
    expect(job).toMatchObject({ status: 'succeeded', error: null, counts: { created: 3, updated: 0 } })
    expectOneEach(crm, ids)
  })

  test.each([
    ['Salesforce answers 429', () => tooMany(), 0],
    ['Salesforce answers 429 with Retry-After', () => tooMany(2), 2_000],
    [
      'Salesforce answers 503 with Retry-After',
      () => apiError(503, 'SERVER_UNAVAILABLE', 'Server is down', 2),
      2_000,
    ],
    ['Salesforce answers 403 REQUEST_LIMIT_EXCEEDED', limitExceeded, 0],
    ['Salesforce answers 420', () => ({ status: 420, body: '' }), 0],
  ] as const)('each person has exactly one Lead, even if %s', async (_name, refusal, waitMs) => {
    const { org, crm, connection_id } = await connected()
    const ids = await newPeople(org, 2)
    crm.refusals.push(refusal())
    const from = performance.now()
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 2 },
    })
    expect(performance.now() - from).toBeGreaterThan(waitMs)
    expectOneEach(crm, ids)
  })

  test('each person has exactly one Lead, even if the Salesforce session ends during the push', async () => {
    const { org, crm, connection_id } = await connected()
    const [first] = await newPeople(org, 1)
    await pushAndWait(org, { connection_id })
    standIn.expire(crm)
    const [second] = await newPeople(org, 1)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 1 },
    })
    expect(crm.signIns).toBe(2)
    expectOneEach(crm, [first!, second!])
  })

  test('each person has exactly one Lead, even if a record is locked or a late request created the Lead', async () => {
    const { org, crm, connection_id } = await connected()
    const taken = rowFault(
      'DUPLICATE_VALUE',
      'duplicate value found: Crosswalk_Id__c duplicates value on record',
    )
    const emails = ['locked@example.com', 'raced@example.com']
    const ids = await Promise.all(emails.map((email) => newContact(org, person({ email }))))
    crm.rowFaults.set('locked@example.com', [locked])
    crm.rowFaults.set('raced@example.com', [taken])
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 2 },
    })
    expectOneEach(crm, ids)
    expect(crm.batches).toEqual([2, 2])
  })

  test('each person has exactly one Lead, even if two jobs push the same people at once', async () => {
    const { org, crm, connection_id } = await connected()
    const ids = await newPeople(org, 3)
    const jobs = await Promise.all([push(org, { connection_id }), push(org, { connection_id })])
    for (const job of jobs) expect(await untilJobEnds(org, job)).toMatchObject({ status: 'succeeded' })
    expectOneEach(crm, ids)
  })
})

test('if a Salesforce flow empties the Crosswalk id, the push stops after one Lead, and its error names the Lead', async () => {
  const { org, crm, connection_id } = await connected()
  const ids = await newPeople(org, 450)
  crm.clears.add('Crosswalk_Id__c')
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('did not keep the Crosswalk id') },
  })
  expect(crm.records.Lead).toHaveLength(1)
  const [lead] = crm.records.Lead!
  expect(job.error.message).toContain(lead!.Id)
  // Follow the error: remove the flow, and write the id into the named record.
  crm.clears.clear()
  lead!.Crosswalk_Id__c = ids.find((id) => job.error.message.includes(id))
  expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
  expectOneEach(crm, ids)
})

describe('refused records', () => {
  test('if Salesforce refuses a record, only that person fails with its message until a retry pushes the person', async () => {
    const { org, crm, connection_id } = await connected({ field_map: { 'custom.channel': 'LeadSource' } })
    const wrong = {
      long: { last_name: 'x'.repeat(81) },
      channel: { custom: { channel: 'Carrier pigeon' } },
      email: { email: 'quoted@localhost.localdomain' },
    }
    const good = await newPeople(org, 2)
    const ids: Record<string, string> = {}
    for (const [name, more] of Object.entries(wrong)) ids[name] = await newContact(org, person(more))
    crm.rowFaults.set('quoted@localhost.localdomain', [
      rowFault('FIELD_CUSTOM_VALIDATION_EXCEPTION', 'No local addresses', ['Email']),
    ])
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 2, failed: 3 } })
    const errors = Object.fromEntries(
      (await itemsOf(org, job.job_id)).map((item) => [item.contact_id, item.error?.message]),
    )
    expect(errors[ids.long!]).toMatch(/Last Name: data value too large: x+ \(max length=80\) \(LastName\)/)
    expect(errors[ids.channel!]).toMatch(
      /bad value for restricted picklist field: Carrier pigeon \(LeadSource\)/,
    )
    expect(errors[ids.email!]).toBe('No local addresses (Email)')
    await org.patch(`/contacts/${ids.long}`, { last_name: 'Short' })
    await org.patch(`/contacts/${ids.channel}`, { custom: { channel: 'Web' } })
    crm.batches.length = 0
    const retry = await org.post(`${crmBase}/jobs/${job.job_id}/retry`)
    expect(retry.status, retry.text).toBe(202)
    const again = await untilJobEnds(org, retry.body.job_id)
    expect(again).toMatchObject({ status: 'succeeded', population: 3, counts: { created: 3 } })
    expect(crm.batches).toEqual([3])
    expectOneEach(crm, [...good, ...Object.values(ids)])
  })

  test('if a value has the wrong type, only that person of the batch fails', async () => {
    const { org, crm, connection_id } = await connected({ field_map: { 'custom.score': 'Score__c' } })
    const ids = await newPeople(org, 4, { custom: { score: 7 } })
    await newContact(org, person({ custom: { score: 'high' } }))
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 4, failed: 1 } })
    const [item] = await itemsOf(org, job.job_id, '&outcome=failed')
    expect(item!.error!.message).toMatch(/^Score__c takes numbers, and not "high"$/)
    expectOneEach(crm, ids)
  })

  test('the next push creates a person refused as a duplicate if it first changes the other record’s address', async () => {
    const { org, crm, connection_id } = await connected()
    crm.matchesAddresses = true
    const first = await newContact(org, person({ email: 'first@example.com' }))
    const second = await newContact(org, person({ email: 'second@example.com' }))
    await pushAndWait(org, { connection_id, contact_ids: [second] })
    await org.patch(`/contacts/${second}`, { email: 'other@example.com' })
    await org.patch(`/contacts/${first}`, { email: 'second@example.com' })
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'succeeded', counts: { processed: 2, created: 1, updated: 1 } })
    expectOneEach(crm, [first, second])
  })

  test('a person that a duplicate rule matches with another is not created, even if one push sends both', async () => {
    const { org, crm, connection_id } = await connected()
    Object.assign(crm, { matchesAddresses: true, saveMs: 30 })
    const ids = await newPeople(org, 3)
    const twins = ids.map((_, index) => person({ email: `twin${index % 2}@example.com` }))
    await newContacts(org, twins)
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ counts: { created: 5, failed: 1 } })
    expect(crm.records.Lead!.filter(({ Email }) => Email === 'twin0@example.com')).toHaveLength(1)
  })

  test('a duplicate is created in Salesforce only if both the settings and the duplicate rule allow it', async () => {
    const { org, crm, connection_id } = await connected()
    const emails = ['twin@example.com', 'clone@example.com']
    for (const email of emails) await newContact(org, person({ email }))
    crm.duplicates.set('twin@example.com', 'alerts').set('clone@example.com', 'blocks')
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { failed: 2 } })
    for (const { error } of await itemsOf(org, job.job_id))
      expect(error!.message).toMatch(
        /^Use one of these records\?: .*let the settings of the connection create such people \(allow_duplicates\)/,
      )
    await org.patch(`${crmBase}/connections/${connection_id}`, { settings: { allow_duplicates: true } })
    const again = await pushAndWait(org, { connection_id })
    expect(again).toMatchObject({ status: 'partially_succeeded', counts: { created: 1, failed: 1 } })
    const [item] = await itemsOf(org, again.job_id, '&outcome=failed')
    expect(item!.error!.message).toMatch(/a duplicate rule of Salesforce blocks it/)
    expect(crm.leadOf('twin@example.com')).toBeDefined()
  })
})
