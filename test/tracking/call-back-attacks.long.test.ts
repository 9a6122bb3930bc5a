import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { addCallBackForm, askForCall, newCallBackForm, numbers, requestsOf } from '../support/call-back.ts'
import { openedChallenge, sendForm, solve } from '../support/form-pages.ts'
import { fromNewAddress } from '../support/new-address.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const [number, other] = numbers
const success = [200, { success: true }]

describe('attacks by call-back requests', () => {
  test('a request changes no other contact, even if it has the same e-mail address or number', async () => {
    const { org, form } = await newCallBackForm(app)
    const mail = 'ada@example.com'
    const { contact_id: id } = (await org.post('/contacts', { email: mail, phone: '+442071838750' })).body
      .data
    const before = (await org.get(`/contacts/${id}`)).text
    const known = await askForCall(app, form, number, { answers: { phone: number, email: mail } })
    const unknown = await askForCall(app, form, other, { answers: { phone: other, email: 'x@example.com' } })
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    expect((await org.get(`/contacts/${id}`)).text).toBe(before)
    const requests = await requestsOf(org)
    expect(requests.map(({ contact_id }) => contact_id)).not.toContain(id)
  })

  test.each([
    ['a premium-rate number', '+19005550100'],
    ['a pay-per-call number', '+12029765550'],
    ['a satellite number', '+870773111632'],
    ['a number of another country', '+442071838750'],
    ['a premium-rate number abroad', '+449098790123'],
  ])('%s is refused by the form itself, whatever the voice settings allow', async (_what, phone) => {
    const { org, form } = await newCallBackForm(app)
    await org.patch('/voice/settings', { allow_premium: true })
    const answer = await askForCall(app, form, phone)
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'answers', 'phone']])
    expect((await org.get('/forms/submissions')).body.data).toEqual([])
  })

  test('of many simultaneous requests for a number, from many networks and forms, one waits', async () => {
    const { org, form } = await newCallBackForm(app)
    const second = await addCallBackForm(org)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => askForCall(app, n % 2 ? form : second, number)),
    )
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(12).fill(success))
    expect(await requestsOf(org, 'status=waiting')).toHaveLength(1)
    const refused = await requestsOf(org, 'status=refused')
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['number_limit']))
    // A decided request counts for a day.
    await org.post(
      `/call-back-requests/${(await requestsOf(org, 'status=waiting'))[0].request_id}/decline`,
      {},
    )
    await askForCall(app, form, number)
    expect(await requestsOf(org, 'status=waiting')).toEqual([])
  })

  test('a network gets three requests an hour, and a visitor three a day', async () => {
    const { org, form } = await newCallBackForm(app)
    const network = fromNewAddress()
    const reasons = []
    for (const phone of numbers.slice(0, 4)) await askForCall(app, form, phone, {}, network)
    for (const { reason } of await requestsOf(org)) reasons.push(reason)
    expect(reasons).toEqual(['address_limit', null, null, null])
    const fresh = await newCallBackForm(app)
    for (const phone of numbers.slice(0, 4)) await askForCall(app, fresh.form, phone, { anonymousId: 'one' })
    expect((await requestsOf(fresh.org)).map(({ reason }) => reason)).toEqual([
      'visitor_limit',
      null,
      null,
      null,
    ])
  })

  test('a replayed request is stored once', async () => {
    const { org, form } = await newCallBackForm(app)
    const opened = openedChallenge(form.formId)
    const body = {
      answers: { phone: number },
      consent: true,
      challenge: opened,
      proof: solve(form.formId, opened),
    }
    for (const _ of [1, 2, 3]) expect((await sendForm(app, form, body)).status).toBe(200)
    expect(await requestsOf(org)).toHaveLength(1)
  })

  test('the public definition of a form shows no settings of calls', async () => {
    const { form } = await newCallBackForm(app, { instructions: 'Secret plan' })
    const { text } = await app.stranger.get(`/f/${form.formId}/definition?writeKey=${form.key}`, {
      prefix: '',
    })
    const page = await app.stranger.get(`/f/${form.formId}`, { prefix: '' })
    expect(text + page.text).not.toMatch(/Secret plan|call_back|approval|countries/)
  })

  test('another organization and a key without voice:write cannot see or decide a request', async () => {
    const { org, form } = await newCallBackForm(app)
    await askForCall(app, form, number)
    const [{ request_id: id }] = await requestsOf(org)
    const stranger = await app.newOrg()
    expect((await stranger.get(`/call-back-requests/${id}`)).status).toBe(404)
    for (const act of ['approve', 'decline'])
      expect((await stranger.post(`/call-back-requests/${id}/${act}`, {})).status).toBe(404)
    const reader = await app.newKey(org.orgId, { permissions: ['voice:read', 'forms:manage'] })
    expect((await reader.get(`/call-back-requests/${id}`)).status).toBe(200)
    for (const act of ['approve', 'decline'])
      expect((await reader.post(`/call-back-requests/${id}/${act}`, {})).status).toBe(403)
  })
})
