import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { connect, newContact, untilJobEnds } from '../support/crm-sync/crm.ts'
import { eventually } from '../support/eventually.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { OauthRequests } from '../support/oauth-requests.ts'
import { callTool } from '../support/tool-calls.ts'

let app: TestApp
let org: TestOrg
let admin: SignedIn
let host: TestClient
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  admin = await newMember(app, org.orgId, 'admin')
  const requests = new OauthRequests(app)
  const { body } = await requests.register()
  const permissions = ['contacts:read', 'crm:write', 'signatures:write', 'voice:write']
  const { access_token } = await requests.connect(admin, body.client_id, { permissions })
  host = app.client(access_token)
})
afterAll(() => app.close())

/** Calls a tool of the app, which the person approves in the console. */
async function approved(tool: string, args: object) {
  const asked = await callTool(host, tool, args)
  expect(asked.result?.status, asked.text).toBe('needs_confirmation')
  const { effect_id } = (await admin.get('/approvals')).body.data.at(-1)
  await admin.post('/approvals/decide', { effect_ids: [effect_id], approved: true })
  const done = await callTool(host, tool, { ...args, confirm_token: asked.result.confirm_token })
  expect(done.isError, done.text).toBe(false)
  return done.result
}

/** The actors of all events about an object, newest first, by type. */
async function actorsOf(objectId: string, count: number): Promise<[string, string][]> {
  const { data } = await eventually(async () => {
    const { body } = await org.get(`/events?object_id=${objectId}`)
    expect(body.data).toHaveLength(count)
    return body
  })
  return data.map(({ type, actor }: { type: string; actor: { name: string } }) => [type, actor.name])
}

const byApp = expect.stringMatching(/^Person \d+ via Attacker$/)

test('the events of a call name the app that placed it, and the key that canceled it', async () => {
  await org.post('/voice/numbers', { number: '+14155550100' })
  const { call_id } = await approved('place_call', { to_number: '+12025550105' })
  expect((await org.post(`/voice/calls/${call_id}/cancel`)).status).toBe(200)
  expect(await actorsOf(call_id, 2)).toEqual([
    ['call.canceled', 'Test key'],
    ['call.dispatched', byApp],
  ])
})

test('the events of a push to a CRM name the app, even the events of its job', async () => {
  const connection_id = await connect(org)
  const contact = await newContact(org, { first_name: 'Ada', last_name: 'Byron', email: 'ada@x.example' })
  const { job_id } = await approved('push_to_crm', { kind: 'leads', connection_id, contact_ids: [contact] })
  expect((await untilJobEnds(org, job_id)).status).toBe('succeeded')
  expect(await actorsOf(job_id, 2)).toEqual([
    ['crm_job.finished', byApp],
    ['crm_job.created', byApp],
  ])
  expect((await actorsOf(contact, 2))[0]).toEqual(['contact.updated', byApp])
})

test('a signature is pushed with and without a version, and the event of its install names the app that pushed it', async () => {
  const template = await org.post('/signatures/templates', {
    name: 'Plain',
    html: '<p>{{ display_name }}</p>',
  })
  expect(template.status, template.text).toBe(201)
  const { template_id } = template.body.data
  const sent = { email: 'ada@x.example', display_name: 'Ada', provider: 'sandbox', template_id }
  const mailbox = await org.post('/signatures/mailboxes', sent)
  expect(mailbox.status, mailbox.text).toBe(201)
  const { mailbox_id } = mailbox.body.data
  const changed = await org.patch(`/signatures/mailboxes/${mailbox_id}`, { display_name: 'Ada B.' })
  expect(changed.body.data.version).toBe(2)
  const targets = [
    { target: { mailbox_id }, version: 2 },
    { target: { mailbox_id: String(mailbox_id) }, version: 2 },
    { target: { template_id }, version: 1 },
  ]
  for (const { target, version } of targets)
    for (const sent of [{}, { version }])
      expect(await approved('push_signature', { ...target, ...sent })).toMatchObject({ version })
  const objectId = `00000000-0000-8000-8000-${Number(mailbox_id).toString(16).padStart(12, '0')}`
  await eventually(async () => {
    const { body } = await org.get(`/events?object_id=${objectId}&type=signature.installed&limit=1`)
    expect(body.data[0]?.actor.name).toEqual(byApp)
  })
})
