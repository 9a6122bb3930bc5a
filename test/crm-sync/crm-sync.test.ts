import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp } from '../support/app.ts'
import {
  crmBase as base,
  connect,
  leadsOf,
  newContact,
  pushAndWait,
  untilJobEnds,
} from '../support/crm-sync/crm.ts'
import { runAsOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())

test('a push creates one Lead for each person', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  const ada = await newContact(org, { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  await newContact(org, { first_name: 'Nobody', last_name: 'Reachable' })
  const preview = await org.post(`${base}/leads/previews`, { connection_id })
  expect(preview.body.data).toMatchObject({
    ...{ count: 1, threshold: 500, confirmation_required: false, would_create: 1, would_update: 0 },
    sample: [{ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }],
  })
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({
    ...{ kind: 'leads_push', status: 'succeeded', population: 1, mode: 'live', refusal: null, error: null },
    counts: { processed: 1, created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
  })
  const [lead] = await leadsOf(org, connection_id)
  expect(lead).toMatchObject({ record_key: ada, kind: 'lead', values: { last_name: 'Lovelace' } })
  const { body } = await org.get(`/contacts/${ada}`)
  expect(body.data.external_ids).toEqual({ sandbox_lead: lead!.external_id })
  const items = await org.get(`${base}/jobs/${job.job_id}/items`)
  expect(items.body.data).toEqual([
    { contact_id: ada, outcome: 'created', external_id: lead!.external_id, error: null },
  ])
  expect((await pushAndWait(org, { connection_id })).counts).toMatchObject({ unchanged: 1 })
  await org.patch(`/contacts/${ada}`, { city: 'London' })
  expect((await pushAndWait(org, { connection_id })).counts).toMatchObject({ updated: 1 })
  expect(await leadsOf(org, connection_id)).toMatchObject([{ values: { city: 'London' } }])
})

test('deleting a connection deletes its external links', async () => {
  const org = await app.newOrg()
  const [connection_id, other] = [await connect(org), await connect(org)]
  await newContact(org, { last_name: 'Lovelace', email: 'ada@example.com' })
  for (const id of [connection_id, other]) await pushAndWait(org, { connection_id: id })
  expect((await org.delete(`${base}/connections/${connection_id}`)).status).toBe(204)
  const left = `
    select connection_id from crm_sandbox_record where org_id = '${org.orgId}'
    union all select connection_id from crm_link where org_id = '${org.orgId}'`
  await expect
    .poll(() => runAsOwner(app.databaseUrl, left), patience)
    .toEqual([{ connection_id: other }, { connection_id: other }])
})

test('erasing a contact removes all data about its pushes', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  const ada = await newContact(org, { last_name: 'Lovelace', email: 'ada@example.com' })
  const eve = await newContact(org, { last_name: 'x'.repeat(100), email: 'eve@example.com' })
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 1, failed: 1 } })
  for (const id of [ada, eve]) expect((await org.post(`/contacts/${id}/erase`)).status).toBe(200)
  expect(await leadsOf(org, connection_id)).toEqual([])
  const items = (await org.get(`${base}/jobs/${job.job_id}/items`)).body.data
  expect(items).toMatchObject([{ error: null }, { error: null }])
})

test('an invalid connection gets a 422 that lists all errors', async () => {
  const org = await app.newOrg()
  const refused = async (body: object) => {
    const answer = await org.post(`${base}/connections`, body)
    expect(answer.status, answer.text).toBe(422)
    const detail = answer.body.detail as { type: string; loc: string[] }[]
    return detail.map(({ type, loc }) => `${type} ${loc.join('.')}`)
  }
  expect(await refused({ provider: 'sandbox', fieldMap: { email: null } })).toEqual([
    'extra_forbidden body.fieldMap',
  ])
  expect(await refused({ provider: 'sandbox', settings: { external_id: 'key' } })).toEqual([
    'extra_forbidden body.settings.external_id',
  ])
  expect(await refused({ provider: 'hubspot', credentials: { token: 'pat' } })).toEqual([
    ...['extra_forbidden body.credentials.token', 'missing body.credentials.access_token'],
  ])
  const almost = { client_id: 'id', username: 'ada', privateKey: 'key' }
  expect(await refused({ provider: 'salesforce', credentials: almost })).toEqual([
    ...['extra_forbidden body.credentials.privateKey', 'missing body.credentials.private_key'],
  ])
  // This RSA key is too short for Salesforce.
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const weak = { client_id: 'id', username: 'ada', private_key }
  expect(await refused({ provider: 'salesforce', credentials: weak })).toEqual([
    'value_error body.credentials.private_key',
  ])
  const connection_id = await connect(org)
  const answer = await org.patch(`${base}/connections/${connection_id}`, { fieldMap: {} })
  expect(answer.body.detail).toMatchObject([{ type: 'extra_forbidden', loc: ['body', 'fieldMap'] }])
})

test('changing a connection to another kind of credentials gets a 422 that names the missing fields', async () => {
  const org = await app.newOrg()
  const credentials = { client_id: 'id', client_secret: 'secret', refresh_token: 'token' }
  const connection_id = await connect(org, { provider: 'salesforce', credentials })
  const change = (body: object) => org.patch(`${base}/connections/${connection_id}`, body)
  const half = await change({ credentials: { username: 'ada@example.com' } })
  expect(half.body.detail, half.text).toMatchObject([
    { type: 'missing', loc: ['body', 'credentials', 'private_key'] },
  ])
})

test('a connection with a new address needs its API key again, so that the stored key reaches no other server', async () => {
  const org = await app.newOrg()
  const credentials = { url: 'https://crm.example.com', api_key: '0123456789abcdef' }
  const connection_id = await connect(org, { provider: 'espocrm', credentials })
  const change = (sent: object) => org.patch(`${base}/connections/${connection_id}`, { credentials: sent })
  const url = 'https://thief.example.com'
  const moved = await change({ url })
  expect([moved.status, moved.body.detail]).toEqual([
    422,
    [expect.objectContaining({ loc: ['body', 'credentials', 'api_key'] })],
  ])
  expect((await change({ url: credentials.url })).status).toBe(200)
  expect((await change({ api_key: 'another-key-of-it' })).body.data.credentials.url).toBe(credentials.url)
  expect((await change({ url, api_key: 'a-key-of-the-other' })).body.data.credentials.url).toBe(url)
})

test('a connection can be renamed even if its stored credentials cannot be decrypted', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org, { provider: 'hubspot', credentials: { access_token: 'pat-1' } })
  await runAsOwner(app.databaseUrl, `delete from secret where org_id = '${org.orgId}'`)
  const { status, body, text } = await org.patch(`${base}/connections/${connection_id}`, { name: 'Old' })
  expect(status, text).toBe(200)
  expect(body.data).toMatchObject({ name: 'Old', credentials: {} })
})

test('a field_map that sends two fields to the same CRM field gets a 422', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  const change = (field_map: object) => org.patch(`${base}/connections/${connection_id}`, { field_map })
  const both = await change({ 'custom.work': 'email' })
  expect(both.body.detail, both.text).toMatchObject([
    {
      loc: ['body', 'field_map', 'custom.work'],
      msg: 'email also goes to the CRM field email: set "email": null, or choose another field',
    },
  ])
  expect((await change({ 'custom.a': 'plan', 'custom.b': 'plan' })).status).toBe(422)
  expect((await change({ 'custom.work': 'email', email: null })).status).toBe(200)
  expect((await change({ city: 'region', region: 'city' })).status).toBe(200)
  const created = await org.post(`${base}/connections`, { provider: 'sandbox', field_map: { city: 'email' } })
  expect(created.status).toBe(422)
})

test('a retry of a refused job gets a 409 that asks for large_population_confirmed', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  await newContact(org, { last_name: 'Lovelace', email: 'ada@example.com' })
  await org.patch(`${base}/settings`, { threshold: 0 })
  const { job_id } = await pushAndWait(org, { connection_id })
  const { status, body } = await org.post(`${base}/jobs/${job_id}/retry`)
  expect(status).toBe(409)
  expect(body.detail).toContain('large_population_confirmed')
})

test('the answers to a push and to the retry of its job are stored for 30 days under their idempotency keys', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  await newContact(org, { last_name: 'x'.repeat(100), email: 'eve@example.com' })
  const post = async (path: string, key: string, body?: object) => {
    const answer = await org.post(path, body, { headers: { 'idempotency-key': key } })
    expect(answer.status, answer.text).toBe(202)
    return answer.body.job_id as string
  }
  const pushedAs = await post(`${base}/leads/push`, 'push', { connection_id })
  expect(await untilJobEnds(org, pushedAs)).toMatchObject({ status: 'failed' })
  const retriedAs = await post(`${base}/jobs/${pushedAs}/retry`, 'retry')
  await untilJobEnds(org, retriedAs)
  const days = await runAsOwner<{ days: number }>(
    app.databaseUrl,
    `select round(extract(epoch from expires_at - now()) / 86400)::int as days from idempotency_key
     where org_id = $1`,
    [org.orgId],
  )
  expect(days).toEqual([{ days: 30 }, { days: 30 }])
})
