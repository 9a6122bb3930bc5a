import { afterAll, describe, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { placeScheduled } from '../../src/tracking/forms/call-back/place-scheduled.ts'
import { sweepOnce } from '../../src/tracking/sweep.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import {
  allDay,
  askForCall,
  laterInBritain,
  newCallBackForm,
  numbers,
  requestsOf,
} from '../support/call-back.ts'
import { eventually } from '../support/eventually.ts'
import { openedChallenge, solve } from '../support/form-pages.ts'
import { patience } from '../support/patience.ts'
import { simulatedCalls } from '../support/simulated-calls.ts'

const app = await startTestApp({ trustProxy: true })
// Scheduled calls wait for their hours.
afterAll(() => app.close({ leavesJobs: true }))
const { dials, simulate } = simulatedCalls(app)
const [number, other] = numbers

describe('automatic calls', () => {
  const newAutomatic = (callBack: object = {}) =>
    newCallBackForm(app, { approval: 'automatic', countries: ['US', 'GB'], ...callBack })
  const british = '+442071838750'
  const run = (org: TestOrg, requestId: string) => placeScheduled(app.app.context, org.orgId, requestId)
  const settled = async (org: TestOrg) => {
    await expect.poll(async () => (await requestsOf(org, 'status=scheduled')).length, patience).toBe(0)
    return requestsOf(org)
  }

  test('a request with a proof of work is dialed once, and nobody must approve it', async () => {
    const { org, form } = await newAutomatic()
    await askForCall(app, form, number)
    const [request] = await settled(org)
    expect(request).toMatchObject({
      ...{ status: 'called', automatic: true, api_key_id: null, member_id: null, reason: null },
      call_id: expect.any(String),
    })
    await Promise.all([1, 2, 3].map(() => run(org, request.request_id)))
    expect(await dials(org)).toBe(1)
    const { data } = (await org.get(`/events?object_id=${request.request_id}`)).body
    expect(data[0]).toMatchObject({ type: 'call_back_request.called', data: { automatic: true } })
  })

  test('without a proof of work, or with a used one, a request waits for a person', async () => {
    const { org, form } = await newAutomatic({ hours: laterInBritain() })
    await askForCall(app, form, number, { isProven: false })
    const challenge = openedChallenge(form.formId)
    const proof = solve(form.formId, challenge)
    for (const phone of [british, '+442071838751'])
      await askForCall(app, form, phone, { challenge, proof, answers: { phone } })
    expect((await requestsOf(org)).map(({ status, reason }) => [status, reason])).toEqual([
      ['waiting', 'proof_missing'],
      ['scheduled', null],
      ['waiting', 'proof_missing'],
    ])
  })

  test('above the daily limit of the form, requests wait for a person', async () => {
    const { org, form } = await newAutomatic({ daily_limit: 2 })
    await Promise.all(numbers.map((phone) => askForCall(app, form, phone)))
    const requests = await requestsOf(org)
    expect(requests.filter(({ automatic }) => automatic)).toHaveLength(2)
    expect(requests.filter(({ reason }) => reason === 'form_limit')).toHaveLength(3)
  })

  test('one automatic call of an organization runs at a time', async () => {
    const { org, form } = await newAutomatic()
    await askForCall(app, form, number)
    await settled(org)
    await askForCall(app, form, other)
    const [second] = await requestsOf(org)
    await run(org, second.request_id)
    expect(await dials(org)).toBe(1)
    expect((await requestsOf(org))[0]).toMatchObject({ number: other, status: 'scheduled' })
    await simulate(60_000)
    await run(org, second.request_id)
    expect((await requestsOf(org))[0]).toMatchObject({ number: other, status: 'called' })
  })

  test('a request waits for the hours of the country, and is checked again before the call', async () => {
    const { org, form } = await newAutomatic({ hours: laterInBritain() })
    const phones = [british, '+442071838751', '+442071838752', '+442071838753']
    for (const phone of phones) await askForCall(app, form, phone)
    const requests = (await requestsOf(org)).reverse()
    for (const { status, call_at } of requests) {
      expect(status).toBe('scheduled')
      expect(call_at).toBeGreaterThan(Date.now() / 1000 + 3_000)
    }
    const [early, suppressed, declined, switched] = requests.map(({ request_id }) => request_id)
    await run(org, early)
    const statusOf = async (id: string) => (await org.get(`/call-back-requests/${id}`)).body.data
    expect(await statusOf(early)).toMatchObject({ status: 'scheduled', call_id: null })
    const whole = { approval: 'automatic', countries: ['GB'], hours: allDay() }
    await org.patch(`/forms/${form.formId}`, { call_back: whole })
    await org.post('/voice/suppressions', { number: phones[1] })
    await run(org, suppressed)
    expect(await statusOf(suppressed)).toMatchObject({ status: 'refused', reason: 'number_suppressed' })
    await org.post(`/call-back-requests/${declined}/decline`, {})
    await run(org, declined)
    expect(await statusOf(declined)).toMatchObject({ status: 'declined', call_id: null })
    await org.patch(`/forms/${form.formId}`, { call_back: { ...whole, approval: 'manual' } })
    await run(org, switched)
    expect(await statusOf(switched)).toMatchObject({ status: 'waiting', reason: 'settings_changed' })
    expect(await dials(org)).toBe(0)
  })

  test('hours that are never open in the whole country need a person', async () => {
    const { org, form } = await newAutomatic({ hours: { start: '09:00', end: '10:00' } })
    await askForCall(app, form, number)
    expect(await requestsOf(org)).toMatchObject([{ status: 'waiting', reason: 'hours_closed' }])
  })

  test('if the call is not allowed, the request waits for a person', async () => {
    const { org, form } = await newAutomatic({ from_number: '+14155550100' })
    const [{ number_id: id }] = (await org.get('/voice/numbers')).body.data
    expect((await org.delete(`/voice/numbers/${id}`)).status).toBe(204)
    await askForCall(app, form, number)
    expect(await settled(org)).toMatchObject([
      { status: 'waiting', reason: 'call_not_allowed', call_id: null },
    ])
    expect(await dials(org)).toBe(0)
  })

  test('a call that the provider refused is not tried again', async () => {
    const { org, form } = await newAutomatic()
    await askForCall(app, form, '+12025550110')
    const [request] = await settled(org)
    expect(request).toMatchObject({ status: 'called', call_id: expect.any(String) })
    await eventually(async () =>
      expect((await org.get('/voice/calls')).body.data).toMatchObject([{ status: 'failed' }]),
    )
    await run(org, request.request_id)
    expect((await org.get('/voice/calls')).body.data).toHaveLength(1)
  })

  test('a request disappears with its submission, 30 days after somebody marked that as spam', async () => {
    const { org, form } = await newCallBackForm(app)
    await askForCall(app, form, number)
    const [request] = await requestsOf(org)
    await org.post(`/call-back-requests/${request.request_id}/decline`)
    await org.post(`/forms/submissions/${request.submission_id}/spam`)
    const left = async (days: number) => {
      await sweepOnce(system(app.app.context.database), () => false, Date.now() + days * 86_400_000)
      return (await requestsOf(org)).map(({ status }: { status: string }) => status)
    }
    expect(await left(29)).toEqual(['declined'])
    expect(await left(31)).toEqual([])
  })

  test('after 7 days, an open request expires, and refused ones are deleted after 30 days', async () => {
    const { org, form } = await newCallBackForm(app)
    await askForCall(app, form, number)
    await askForCall(app, form, number)
    const scope = system(app.app.context.database)
    await sweepOnce(scope, () => false, Date.now() + 8 * 86_400_000)
    const [refused, expired] = await requestsOf(org)
    expect([refused.status, expired.status]).toEqual(['refused', 'expired'])
    const approved = await org.post(`/call-back-requests/${expired.request_id}/approve`, {})
    expect(approved.body.code).toBe('call_back_request_decided')
    await sweepOnce(scope, () => false, Date.now() + 31 * 86_400_000)
    expect((await requestsOf(org)).map(({ status }) => status)).toEqual(['expired'])
  })
})
