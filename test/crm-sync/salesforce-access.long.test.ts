import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { connect, crmBase, pushAndWait, pushWithoutDelays } from '../support/crm-sync/crm.ts'
import {
  connectionOf,
  connectSalesforce,
  expectOneEach,
  newPeople,
  tested,
} from '../support/crm-sync/salesforce.ts'
import { apiError, SalesforceStandIn } from '../support/stand-ins/salesforce.ts'
import type { SalesforceOrg } from '../support/stand-ins/salesforce-org.ts'

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

const patches = () => standIn.server.requests.filter(({ method }) => method === 'PATCH')

describe('refused sign-ins', () => {
  test('if Salesforce refuses access, the job fails with the reason, and valid credentials make the connection work again', async () => {
    const { org, crm, connection_id, credentials } = await connected()
    const ids = await newPeople(org, 2)
    standIn.revoke(credentials)
    const job = await pushAndWait(org, { connection_id })
    const reason =
      /sign-in refused: expired access\/refresh token \(invalid_grant\): .*authorize the app again/
    expect(job).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(reason) },
      counts: { processed: 0 },
    })
    expect(await connectionOf(org, connection_id)).toMatchObject({
      ...{ status: 'needs_attention', error: job.error },
    })
    const fresh = standIn.newRefreshToken(crm)
    const answer = await org.patch(`${crmBase}/connections/${connection_id}`, { credentials: fresh })
    expect(answer.body.data).toMatchObject({ status: 'ok', error: null })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 2 },
    })
    expectOneEach(crm, ids)
  })

  test('if Salesforce revokes the access, the job fails, and the connection gets the status needs_attention', async () => {
    const { org, crm, connection_id, credentials } = await connected()
    await newPeople(org, 1)
    await pushAndWait(org, { connection_id })
    await newPeople(org, 1)
    standIn.revoke(credentials)
    standIn.expire(crm)
    expect((await pushAndWait(org, { connection_id })).error.message).toMatch(/sign-in refused/)
    expect(await connectionOf(org, connection_id)).toMatchObject({ status: 'needs_attention' })
  })

  test('if Salesforce revokes the access during a session, the job signs in once more and then fails with Salesforce’s message', async () => {
    const { org, connection_id } = await connected()
    await newPeople(org, 1)
    const said = apiError(401, 'INVALID_SESSION_ID', 'This session is not valid for use with the REST API')
    const { status, body } = said
    for (let time = 0; time < 2; time++)
      standIn.server.fault({ on: /describe/, when: 'before', how: 'answer', status, body })
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/This session is not valid/) },
    })
    expect(standIn.server.hasFaults).toBe(false)
    expect(await tested(org, connection_id)).toMatchObject({ works: true })
    expect(await connectionOf(org, connection_id)).toMatchObject({ status: 'ok' })
  })

  test('after a change of the credentials, no request uses the session of the old credentials', async () => {
    const { org, crm, connection_id } = await connected()
    await newPeople(org, 1)
    await pushAndWait(org, { connection_id })
    const other = standIn.newOrg()
    await org.patch(`${crmBase}/connections/${connection_id}`, { credentials: other.credentials })
    const before = crm.usedRequests
    expect((await tested(org, connection_id)).works).toBe(true)
    expect(crm.usedRequests).toBe(before)
    expect(other.org.usedRequests).toBeGreaterThan(0)
  })

  test.each([
    [
      'an app of another login server',
      { error: 'invalid_grant', error_description: 'audience is invalid' },
      /SALESFORCE_LOGIN_URL/,
    ],
    ['an inactive user', { error: 'invalid_grant', error_description: 'inactive user' }, /activate the user/],
    [
      'an org without this client',
      { error: 'invalid_client', error_description: 'no client' },
      /no client \(invalid_client\)/,
    ],
  ])('a refusal of access by Salesforce gives the reason: %s', async (_name, body, words) => {
    const { org, connection_id } = await connected()
    standIn.signInRefusals.push({ status: 400, body })
    const report = await tested(org, connection_id)
    expect(report).toMatchObject({ works: false, lead: { works: false } })
    expect(report.lead.problems[0]).toMatch(words)
  })
})

describe('sign-in with a certificate', () => {
  test('a connected app with a certificate signs in as its user', async () => {
    const { org: crm } = standIn.newOrg()
    const org = await app.newOrg()
    const credentials = standIn.newApp(crm)
    const connection_id = await connect(org, { provider: 'salesforce', credentials })
    const ids = await newPeople(org, 2)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({
      status: 'succeeded',
      counts: { created: 2 },
    })
    expectOneEach(crm, ids)
  })

  test('a login with a certificate gets an error that names the missing approval or the wrong private key', async () => {
    const { org: crm } = standIn.newOrg()
    const org = await app.newOrg()
    const credentials = { ...standIn.newApp(crm), username: 'stranger@example.com' }
    const connection_id = await connect(org, { provider: 'salesforce', credentials })
    expect((await tested(org, connection_id)).lead.problems[0]).toMatch(/pre-authorize the user/)
    const { private_key } = standIn.newApp(crm)
    await org.patch(`${crmBase}/connections/${connection_id}`, { credentials: { private_key } })
    expect((await tested(org, connection_id)).lead.problems[0]).toMatch(
      /certificate must belong to private_key/,
    )
  })
})

test('if Salesforce refuses a login temporarily, the push waits and repeats the login', async () => {
  const { org, connection_id } = await connected()
  await newPeople(org, 1)
  standIn.signInRefusals.push({ status: 503, body: 'Service Unavailable' })
  standIn.signInRefusals.push({
    ...{ status: 400 },
    body: { error: 'invalid_grant', error_description: 'login rate exceeded' },
  })
  expect(await pushWithoutDelays(app, org, { connection_id })).toMatchObject({
    status: 'succeeded',
    counts: { created: 1 },
  })
  expect(standIn.signInRefusals).toEqual([])
})

describe('missing and wrong fields', () => {
  const spoilt: [string, (crm: SalesforceOrg) => unknown, RegExp][] = [
    [
      'no field for the Crosswalk id',
      (crm) => crm.dropField('Lead', 'Crosswalk_Id__c'),
      /Create it \(Setup, Object Manager, Lead/,
    ],
    [
      'a field that is no External ID',
      (crm) => crm.changeField('Lead', 'Crosswalk_Id__c', { externalId: false }),
      /has to be an External ID: change it/,
    ],
    [
      'a field that is not unique',
      (crm) => crm.changeField('Lead', 'Crosswalk_Id__c', { unique: false }),
      /has to be unique: change it/,
    ],
    [
      'a field that is too short',
      (crm) => crm.changeField('Lead', 'Crosswalk_Id__c', { length: 18 }),
      /has to be a Text of at least 36 characters/,
    ],
    [
      'a field that may not be written',
      (crm) => crm.changeField('Lead', 'Crosswalk_Id__c', { updateable: false }),
      /field-level security/,
    ],
    [
      'Leads that may not be made',
      (crm) => Object.assign(crm.objects.Lead!, { createable: false }),
      /Create and Edit on Lead/,
    ],
    ['no Leads at all', (crm) => delete crm.objects.Lead, /The requested resource does not exist/],
  ]

  test.each(spoilt)(
    'with %s in Salesforce, a job pushes no record, and its error says what to do',
    async (_name, spoil, words) => {
      const { org, crm, connection_id } = await connected()
      await newPeople(org, 2)
      spoil(crm)
      const report = await tested(org, connection_id)
      expect(report).toMatchObject({ works: true, contact: { works: true }, lead: { works: false } })
      expect(report.lead.problems.join(' ')).toMatch(words)
      const before = patches().length
      const job = await pushAndWait(org, { connection_id })
      expect(job).toMatchObject({
        status: 'failed',
        error: { message: expect.stringMatching(words) },
        counts: { processed: 0 },
      })
      expect(patches().length).toBe(before)
      expect(await connectionOf(org, connection_id)).toMatchObject({ status: 'ok' })
    },
  )

  test('a job that had to wait for Salesforce still detects missing or wrong fields there', async () => {
    const { org, crm, connection_id } = await connected()
    await newPeople(org, 1)
    crm.changeField('Lead', 'Crosswalk_Id__c', { unique: false })
    standIn.server.fault({ on: /describe/, when: 'before', how: 'answer', status: 503, body: '' })
    const job = await pushWithoutDelays(app, org, { connection_id })
    expect(job).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/has to be unique/) },
    })
    expect(crm.records.Lead).toEqual([])
  })

  test('the settings of a connection can name another field for the Crosswalk id', async () => {
    const settings = { external_id_field: 'Person_Key__c' }
    const { org, crm, connection_id } = await connected({ settings })
    const [id] = await newPeople(org, 1)
    crm.addField('Lead', 'person_key__c', { externalId: true, unique: true })
    expect((await tested(org, connection_id)).lead.problems[0]).toMatch(
      /but a field person_key__c: set settings/,
    )
    crm.addField('Lead', 'Person_Key__c', { externalId: true, unique: true })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expect(crm.records.Lead).toMatchObject([{ Person_Key__c: id }])
  })

  test('if a field is deleted during a job, the job fails with Salesforce’s message', async () => {
    const { org, crm, connection_id } = await connected({ field_map: { source: 'Gone__c' } })
    crm.addField('Lead', 'Gone__c', {})
    await newPeople(org, 3)
    standIn.server.hold = ({ method }) => {
      if (method !== 'PATCH') return
      standIn.server.hold = () => {}
      crm.dropField('Lead', 'Gone__c')
    }
    const job = await pushAndWait(org, { connection_id })
    const error = expect.stringMatching(/No such column 'Gone__c' on sobject of type Lead/)
    expect(job).toMatchObject({
      status: 'failed',
      error: { code: 'crm_unusable', message: error },
      counts: { processed: 0 },
    })
    expect(crm.batches).toEqual([])
    const { problems } = (await tested(org, connection_id)).lead
    expect(problems).toEqual([expect.stringMatching(/CRM field Gone__c, where source goes, is not there/)])
  })

  test('if a field of field_map is missing in Salesforce, the job ends before it sends any person', async () => {
    const { org, crm, connection_id } = await connected({ field_map: { source: 'Gone__c' } })
    await newPeople(org, 1)
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ status: 'failed', counts: { processed: 0 } })
    expect((await tested(org, connection_id)).lead.problems).toEqual([job.error.message])
    expect(crm.batches).toEqual([])
  })

  test('if Salesforce requires more fields, the error names them', async () => {
    const { org, crm, connection_id } = await connected()
    crm.addField('Lead', 'Region__c', { nillable: false })
    const { problems } = (await tested(org, connection_id)).lead
    expect(problems).toEqual([expect.stringMatching(/requires the field Region__c/)])
  })
})

test('a Salesforce instance with a private address gets no request', async () => {
  const other = await SalesforceStandIn.start()
  const config = { salesforceLoginUrl: standIn.server.url, outboundAllowPrivate: false }
  const guarded = await startTestApp(config)
  try {
    const org = await guarded.newOrg()
    const { org: crm, credentials } = standIn.newOrg()
    const connection_id = await connect(org, { provider: 'salesforce', credentials })
    crm.instanceUrl = other.server.url
    const answer = await org.post(`${crmBase}/connections/${connection_id}/test`)
    expect(answer.body.data).toMatchObject({ works: false })
    expect(answer.text).toMatch(/not an address of the public internet/)
    expect(other.server.requests).toEqual([])
  } finally {
    await guarded.close()
    await other.close()
  }
})
