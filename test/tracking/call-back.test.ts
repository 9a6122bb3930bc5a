import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import {
  addCallBackForm,
  askForCall,
  callConsent,
  newCallBackForm,
  numbers,
  phoneField,
  requestsOf,
} from '../support/call-back.ts'
import { runAsOwner } from '../support/database.ts'
import { postPage } from '../support/form-pages.ts'
import { simulatedCalls } from '../support/simulated-calls.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const { dials } = simulatedCalls(app)
const [number, other] = numbers
const success = [200, { success: true }]

describe('the settings of calls', () => {
  const fields = [phoneField]
  const call_back = { countries: ['US'] }
  const whole = { name: 'Call me back', fields, consent: callConsent, call_back }

  test('a form that asks for calls has safe defaults', async () => {
    const org = await app.newOrg()
    const { body } = await org.post('/forms', whole)
    expect(body.data.call_back).toEqual({
      ...{ approval: 'manual', countries: ['US'], hours: { start: '09:00', end: '18:00' } },
      ...{ persona_id: null, from_number: null, instructions: null, daily_limit: 20 },
    })
  })

  test.each<[string, object, unknown[]]>([
    ['without a phone field', { fields: [{ key: 'a', label: 'A' }] }, ['body', 'call_back']],
    ['with an optional phone field', { fields: [{ ...phoneField, required: false }] }, ['body', 'call_back']],
    ['without a consent', { consent: null }, ['body', 'call_back']],
    ['with an optional consent', { consent: { ...callConsent, required: false } }, ['body', 'call_back']],
    [
      'with a consent to e-mails',
      { consent: { ...callConsent, channels: ['email'] } },
      ['body', 'call_back'],
    ],
    ['without countries', { call_back: { countries: [] } }, ['body', 'call_back', 'countries']],
    [
      'with an unknown persona',
      { call_back: { ...call_back, persona_id: '0190a3d1-7b3a-7000-8000-000000000001' } },
      ['body', 'call_back', 'persona_id'],
    ],
    [
      'with a number that the organization does not have',
      { call_back: { ...call_back, from_number: '+14155550199' } },
      ['body', 'call_back', 'from_number'],
    ],
    [
      'with a text that is no number',
      { call_back: { ...call_back, from_number: 'hello' } },
      ['body', 'call_back', 'from_number'],
    ],
  ])('a form %s cannot ask for calls', async (_what, part, loc) => {
    const org = await app.newOrg()
    const refused = await org.post('/forms', { ...whole, ...part })
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, loc])
    // The same change of a form that asks for calls.
    const { form_id: id } = (await org.post('/forms', whole)).body.data
    expect((await org.patch(`/forms/${id}`, part)).status).toBe(422)
  })

  test('a form can name a number of the organization, also in national form', async () => {
    const org = await app.newOrg({ country: 'US' })
    expect((await org.post('/voice/numbers', { number: '+14155550100' })).status).toBe(201)
    for (const from_number of ['+14155550100', '(415) 555-0100']) {
      const made = await org.post('/forms', { ...whole, call_back: { ...call_back, from_number } })
      expect(made.status, made.text).toBe(201)
    }
  })

  test('a key without voice:write cannot make a form ask for calls, and can switch the calls off', async () => {
    const org = await app.newOrg()
    const forms = await app.newKey(org.orgId, { permissions: ['forms:write'] })
    expect((await forms.post('/forms', whole)).status).toBe(403)
    const { form_id: id } = (await org.post('/forms', whole)).body.data
    expect(
      (await forms.patch(`/forms/${id}`, { call_back: { ...call_back, approval: 'automatic' } })).status,
    ).toBe(403)
    expect((await forms.patch(`/forms/${id}`, { call_back: null })).body.data.call_back).toBeNull()
  })
})

/** The time in Chicago in some hours. */
const local = (hours: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Chicago', timeStyle: 'short' }).format(
    Date.now() + hours * 3_600_000,
  )

describe('a call-back request', () => {
  test('a person asks on the hosted page, somebody approves, and the phone rings once', async () => {
    const { org, form } = await newCallBackForm(app)
    const page = await app.stranger.get(`/f/${form.formId}`, { prefix: '' })
    expect(page.text).toContain('An AI agent may call me at this number.')
    const sent = await postPage(app, form.formId, { phone: '(202) 555-0100', consent: 'on' })
    expect(sent.status).toBe(303)
    const [request] = await requestsOf(org, 'status=waiting')
    expect(request).toMatchObject({
      ...{ form_id: form.formId, form_name: 'Call me back', form_version: 1, mode: 'live', reason: null },
      ...{ number, country: 'US', automatic: false, call_id: null, decided_at: null },
    })
    const [contact] = (await org.get('/contacts')).body.data
    expect(contact).toMatchObject({ contact_id: request.contact_id, consent: { phone: 'granted' } })
    const path = `/call-back-requests/${request.request_id}`
    const headers = { 'idempotency-key': 'a' }
    // No body is needed.
    const approved = await org.post(`${path}/approve`, undefined, { headers })
    expect([approved.status, approved.body.status, approved.body.to_number]).toEqual([
      201,
      'dispatched',
      number,
    ])
    const replay = await org.post(`${path}/approve`, undefined, { headers })
    expect([replay.status, replay.body]).toEqual([201, approved.body])
    expect((await org.post(`${path}/approve`, {})).body.code).toBe('call_back_request_decided')
    expect((await org.post(`${path}/decline`)).body.code).toBe('call_back_request_decided')
    expect(await dials(org)).toBe(1)
    expect((await org.get(path)).body.data).toMatchObject({
      ...{ status: 'called', call_id: approved.body.call_id, automatic: false },
      api_key_id: expect.any(String),
    })
    const call = (await org.get(`/voice/calls/${approved.body.call_id}`)).body.data
    expect(call.metadata).toEqual({ call_back_request_id: request.request_id, form_id: form.formId })
    expect(call.instructions).toContain('First ask whether this person asked for it')
    const { data } = (await org.get(`/events?object_id=${request.request_id}`)).body
    expect(data.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ['call_back_request.called', { call_id: approved.body.call_id, automatic: false }],
      ['call_back_request.created', { form_id: form.formId }],
    ])
  })

  test('of two approvals and a decline at the same time, one wins, and the phone rings at most once', async () => {
    const { org, form } = await newCallBackForm(app)
    await askForCall(app, form, number)
    const [request] = await requestsOf(org)
    const decide = (act: string) => org.post(`/call-back-requests/${request.request_id}/${act}`, {})
    const acts = ['approve', 'decline', 'approve', 'approve', 'decline']
    const answers = await Promise.all(acts.map(decide))
    const winners = answers.filter(({ status }) => status < 300)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'call_back_request_decided')).toHaveLength(4)
    expect(await dials(org)).toBe(winners[0]?.status === 201 ? 1 : 0)
  })

  test('a declined number can be suppressed, and a request for it then gets the usual answer and does nothing', async () => {
    const { org, form } = await newCallBackForm(app)
    await askForCall(app, form, number)
    const [request] = await requestsOf(org)
    const declined = await org.post(`/call-back-requests/${request.request_id}/decline`, { suppress: true })
    expect(declined.body.data).toMatchObject({ status: 'declined', api_key_id: expect.any(String) })
    expect((await org.get('/voice/suppressions')).body.data).toMatchObject([
      { number, reason: 'call_not_wanted', source: 'call_back_request' },
    ])
    await org.post('/voice/suppressions', { number: other })
    const sent = await askForCall(app, form, other)
    expect([sent.status, sent.body]).toEqual(success)
    expect(await requestsOf(org, 'status=refused')).toMatchObject([
      { number: other, reason: 'number_suppressed' },
    ])
  })

  test('a number that is suppressed after the request is not called, and the request still waits', async () => {
    const { org, form } = await newCallBackForm(app)
    await askForCall(app, form, number)
    await org.post('/voice/suppressions', { number })
    const [request] = await requestsOf(org)
    const answer = await org.post(`/call-back-requests/${request.request_id}/approve`, {})
    expect([answer.status, answer.body.code]).toEqual([400, 'number_suppressed'])
    expect(await requestsOf(org)).toMatchObject([{ status: 'waiting', call_id: null }])
    expect(await dials(org)).toBe(0)
  })

  test('outside of the hours in any part of the country, an approval needs the time zone of the person', async () => {
    const { org } = await newCallBackForm(app)
    // Open in Chicago for some hours; never open in the whole United States.
    const form = await addCallBackForm(org, { hours: { start: local(-1), end: local(1) } })
    await askForCall(app, form, number)
    const path = `/call-back-requests/${(await requestsOf(org))[0].request_id}/approve`
    expect((await org.post(path, {})).body.code).toBe('outside_calling_hours')
    expect((await org.post(path, { timezone: 'Mars/Olympus' })).status).toBe(422)
    expect((await org.post(path, { timezone: 'America/Chicago' })).status).toBe(201)
  })

  test('the calling hours of the organization count in every time zone of the country', async () => {
    const { org, form } = await newCallBackForm(app)
    await askForCall(app, form, number)
    await org.patch('/voice/settings', { calling_hours: { start: local(-1), end: local(1) } })
    const path = `/call-back-requests/${(await requestsOf(org))[0].request_id}/approve`
    expect((await org.post(path, {})).body.code).toBe('outside_calling_hours')
    expect((await org.post(path, { timezone: 'America/Chicago' })).status).toBe(201)
  })

  test('nobody can decide a request that is older than 7 days, even before it is marked as expired', async () => {
    const { org, form } = await newCallBackForm(app)
    await askForCall(app, form, number)
    const [request] = await requestsOf(org)
    const age = "update call_back_request set created_at = now() - interval '170 hours' where org_id = $1"
    await runAsOwner(app.databaseUrl, age, [org.orgId])
    for (const act of ['approve', 'decline']) {
      const answer = await org.post(`/call-back-requests/${request.request_id}/${act}`)
      expect([answer.status, answer.body.code]).toEqual([409, 'call_back_request_expired'])
    }
    expect(await dials(org)).toBe(0)
  })

  test('an approval calls a person whose form is closed meanwhile, with the settings that the person saw', async () => {
    const { org, form } = await newCallBackForm(app, { instructions: 'Offer a demo.' })
    await askForCall(app, form, number)
    await org.patch(`/forms/${form.formId}`, { status: 'draft', call_back: null })
    const [request] = await requestsOf(org, 'status=waiting')
    const called = await org.post(`/call-back-requests/${request.request_id}/approve`)
    expect([called.status, called.body.to_number]).toEqual([201, number])
    const call = (await org.get(`/voice/calls/${called.body.call_id}`)).body.data
    expect(call.instructions).toContain('Offer a demo.')
  })

  test('a request of test mode goes to the simulator, and needs a key of test mode', async () => {
    const { org } = await newCallBackForm(app)
    const form = await addCallBackForm(org)
    const test = await app.newKey(org.orgId, { mode: 'test' })
    const writeKey = await test.post('/write-keys', { name: 'Test', purposes: ['forms'], mode: 'test' })
    await askForCall(app, { ...form, key: writeKey.body.data.key }, number)
    const [request] = await requestsOf(org, 'mode=test')
    const path = `/call-back-requests/${request.request_id}/approve`
    expect((await org.post(path, {})).body.code).toBe('call_back_request_other_mode')
    const answer = await test.post(path, {})
    expect([answer.status, answer.body.mode, answer.body.provider]).toEqual([201, 'test', 'simulator'])
  })

  test('spam asks for no call, and a restored submission waits for a person', async () => {
    const { org, form } = await newCallBackForm(app, { approval: 'automatic' })
    await askForCall(app, form, number, { honeypot: 'x' })
    expect(await requestsOf(org)).toEqual([])
    const [submission] = (await org.get('/forms/submissions')).body.data
    await org.post(`/forms/submissions/${submission.submission_id}/restore`)
    expect(await requestsOf(org)).toMatchObject([{ status: 'waiting', reason: 'proof_missing' }])
    await org.post(`/forms/submissions/${submission.submission_id}/spam`)
    const [closed] = await requestsOf(org)
    expect(closed).toMatchObject({ status: 'refused', reason: 'spam' })
    const approve = () => org.post(`/call-back-requests/${closed.request_id}/approve`, {})
    expect((await approve()).status).toBe(409)
    await org.post(`/forms/submissions/${submission.submission_id}/restore`)
    expect(await requestsOf(org)).toMatchObject([{ request_id: closed.request_id, status: 'waiting' }])
    await org.post(`/forms/${form.formId}/revert`, { since: Math.floor(Date.now() / 1000) - 60 })
    expect((await approve()).status).toBe(409)
    expect(await dials(org)).toBe(0)
  })

  test('erasing the contact erases its requests', async () => {
    const { org, form } = await newCallBackForm(app)
    await askForCall(app, form, number)
    const [request] = await requestsOf(org)
    expect((await org.post(`/contacts/${request.contact_id}/erase`)).status).toBeLessThan(300)
    expect(await requestsOf(org)).toEqual([])
  })
})
