import { createEmulator, type Emulator } from 'emulate'
import twilio from 'twilio'
import RequestClient from 'twilio/lib/base/RequestClient.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CannotCancel, Unreachable } from '../../src/voice/providers/provider.ts'
import {
  answerTimeoutMs,
  dialFaults,
  orderOf,
  outside,
  outsideProvider,
} from '../support/stand-ins/dispatching.ts'
import { twilioError } from '../support/stand-ins/twilio.ts'
import { useTwilio } from '../support/stand-ins/use-twilio.ts'

const { standIn, receiver, provider, providerAt, since, withCallback } = await useTwilio()
const dialRequests = () =>
  standIn.server.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/Calls.json'))

class Redirected extends RequestClient {
  readonly #base: string
  constructor(base: string) {
    super()
    this.#base = base
  }
  override request<Data>(options: RequestClient.RequestOptions<Data>) {
    return super.request<Data>({ ...options, uri: options.uri.replace('https://api.twilio.com', this.#base) })
  }
}

describe('dispatching', () => {
  test.each(dialFaults)(
    'a dispatch with %s has the documented outcome',
    async (_what, fault, outcome, dials) => {
      if (fault) standIn.server.fault(fault)
      const [order, before] = [withCallback(), dialRequests().length]
      const result = await provider.dispatch(order, answerTimeoutMs(fault))
      expect(result.outcome).toBe(outcome)
      expect(standIn.calls.dialsOf(order.callId)).toBe(dials)
      expect(dialRequests()).toHaveLength(before + 1)
      expect(standIn.server.hasFaults).toBe(false)
      const found = await provider.find(order, since())
      expect(found === null ? 0 : 1).toBe(dials)
    },
  )

  test.each([
    ['an invalid number', { to: '+1' }, '21211', 'is not valid'],
    ['its own number as recipient', { to: '+14155550100' }, '21211', 'is not valid'],
    ['a caller id of another account', { from: '+14155550199' }, '21210', 'not yet verified'],
  ])(
    'a dispatch with %s is refused with the code and message of Twilio',
    async (_what, changes, code, words) => {
      const result = await provider.dispatch(orderOf(changes), 5_000)
      expect(result).toEqual({ outcome: 'refused', code, message: expect.stringContaining(words) })
    },
  )

  test('a dispatch with a wrong token, or to a closed port, is refused and shows no secret', async () => {
    const wrong = await providerAt(standIn.server.url, 'not-the-token').dispatch(orderOf(), 5_000)
    expect(wrong).toMatchObject({ outcome: 'refused', code: '20003' })
    standIn.server.fault({
      when: 'before',
      how: 'answer',
      ...twilioError(400, 1, `see ${standIn.authToken}`),
    })
    const chatty = await provider.dispatch(orderOf(), 5_000)
    expect(chatty).toEqual({ outcome: 'refused', code: '1', message: 'see [redacted]' })
    const nobody = await providerAt('http://127.0.0.1:9').dispatch(orderOf(), 5_000)
    expect(nobody).toMatchObject({ outcome: 'refused', code: 'unreachable' })
  })

  test('a call without a greeting, or with a greeting that is too long, is refused without a request to Twilio', async () => {
    const before = standIn.server.requests.length
    const mute = await provider.dispatch(orderOf({ greeting: null }), 5_000)
    const long = await provider.dispatch(orderOf({ greeting: 'ä'.repeat(4_000) }), 5_000)
    expect([mute, long]).toMatchObject([{ code: 'no_greeting' }, { code: 'greeting_too_long' }])
    expect(standIn.server.requests).toHaveLength(before)
  })

  test('a dispatch sends the greeting, the time limit and the callback address', async () => {
    const order = withCallback()
    const result = await provider.dispatch(order, 5_000)
    const form = new URLSearchParams(dialRequests().at(-1)!.body)
    expect([...form]).toEqual([
      ['To', order.to],
      ['From', order.from],
      [
        'Twiml',
        `<Response><!-- call_id=${order.callId} --><Say voice="Polly.Amy" language="en-GB">Hello Zoë, it is &lt;Ann&gt; &amp; Co.</Say></Response>`,
      ],
      ['TimeLimit', '900'],
      ['StatusCallback', `${receiver.url}?call_id=${order.callId}`],
      ...['initiated', 'ringing', 'answered', 'completed'].map((event) => ['StatusCallbackEvent', event]),
    ])
    expect(result).toMatchObject({
      outcome: 'dispatched',
      call: { providerCallId: expect.stringMatching(/^CA/), state: 'queued', durationSeconds: null },
      answer: { status: 'queued', direction: 'outbound-api', to: order.to },
    })
  })
})

describe('searching', () => {
  test('the search for a call finds the right call among other calls between the same numbers, even without callbacks', async () => {
    const orders = [orderOf(), withCallback(), orderOf()]
    for (const order of orders) await provider.dispatch(order, 5_000)
    const found = await Promise.all(orders.map((order) => provider.find(order, since())))
    expect(new Set(found.map((call) => call?.providerCallId)).size).toBe(3)
    expect(await provider.find(orderOf(), since())).toBeNull()
  })

  test('the search for a call fails without a clear answer of Twilio', async () => {
    const order = orderOf({ to: '+442079460019' })
    await provider.dispatch(order, 5_000)
    for (const on of [/Calls\.json/, /Events\.json/]) {
      standIn.server.fault({ on, when: 'after', how: 'answer', status: 503 })
      await expect(provider.find(order, since())).rejects.toThrow(Unreachable)
      standIn.server.fault({ on, when: 'after', how: 'truncated' })
      const finding = provider.find(order, since())
      if (on.source.startsWith('Calls')) await expect(finding).rejects.toThrow(Unreachable)
      else expect(await finding).toMatchObject({ state: 'queued' })
    }
    await expect(providerAt(standIn.server.url, 'wrong-token').find(order, since())).rejects.toThrow(
      Unreachable,
    )
  })
})

describe('canceling', () => {
  test('canceling ends a call that rings or is in progress, and fails for a call that has ended', async () => {
    const [order, talked] = [withCallback(), withCallback()]
    const ids = []
    for (const each of [order, talked]) {
      const result = await provider.dispatch(each, 5_000)
      ids.push(result.outcome === 'dispatched' ? result.call.providerCallId : '')
    }
    expect(await provider.cancel(order.callId, ids[0]!)).toMatchObject({ state: 'canceled' })
    await standIn.calls.advance(10_000)
    expect(await provider.cancel(talked.callId, ids[1]!)).toMatchObject({
      state: 'completed',
      durationSeconds: 5,
    })
    await expect(provider.cancel(talked.callId, ids[1]!)).rejects.toThrow(CannotCancel)
    await expect(provider.cancel(talked.callId, 'CA0')).rejects.toThrow('was not found')
    standIn.server.fault({ when: 'before', how: 'drop' })
    await expect(provider.cancel(talked.callId, ids[1]!)).rejects.toThrow(Unreachable)
  })
})

describe('the stand-in', () => {
  test('Twilio’s own SDK with the stand-in creates, reads, lists and ends calls, and reads errors and signatures', async () => {
    const httpClient = new Redirected(standIn.server.url)
    const client = twilio(standIn.accountSid, standIn.authToken, { httpClient })
    const [to, from] = ['+442079460020', '+14155550100']
    const statusCallback = `${receiver.url}?call_id=${orderOf().callId}`
    const made = await client.calls.create({
      ...{ to, from, twiml: '<Response/>', statusCallback },
      statusCallbackEvent: ['ringing', 'completed'],
    })
    expect(made).toMatchObject({ status: 'queued', direction: 'outbound-api', to, from, startTime: null })
    expect(made.dateCreated).toEqual(new Date(Math.floor(standIn.calls.now / 1000) * 1000))
    expect((await client.calls.list({ to, from })).map(({ sid }) => sid)).toEqual([made.sid])
    const events = await client.calls(made.sid).events.list()
    expect(JSON.stringify(events[0]!.request)).toContain(statusCallback)
    await standIn.calls.advance(6_000)
    expect(await client.calls(made.sid).fetch()).toMatchObject({ status: 'in-progress' })
    expect(await client.calls(made.sid).update({ status: 'completed' })).toMatchObject({ duration: '1' })
    expect(receiver.requests).toHaveLength(2)
    for (const { url, headers, body } of receiver.requests) {
      const params = Object.fromEntries(new URLSearchParams(body.toString()))
      expect(twilio.validateRequest(standIn.authToken, headers['x-twilio-signature']!, url, params)).toBe(
        true,
      )
    }
    await expect(client.calls.create({ to: '123', from, twiml: '<Response/>' })).rejects.toMatchObject({
      ...{ status: 400, code: 21211, moreInfo: expect.stringContaining('21211') },
    })
    const stranger = twilio(standIn.accountSid, 'wrong', { httpClient })
    await expect(stranger.calls.list()).rejects.toMatchObject({ status: 401, code: 20003 })
  })
})

describe('an independent stand-in', () => {
  let other: Emulator
  const account = { sid: `AC${'0'.repeat(32)}`, auth_token: 'twilio_test_auth_token' }
  beforeAll(async () => {
    const seed = { twilio: { account, phone_numbers: [{ phone_number: '+14155550100' }] } }
    other = await createEmulator({ service: 'twilio', port: 0, seed })
  })
  afterAll(async () => {
    await other?.close()
  })

  test('a third-party stand-in for Twilio accepts Crosswalk’s calls, sends callbacks with valid signatures, and refuses as Twilio does', async () => {
    const credentials = { account_sid: account.sid, auth_token: account.auth_token }
    const our = outsideProvider('twilio', credentials, { ...outside, twilioApiUrl: other.url })
    receiver.provider = our
    const order = withCallback()
    const result = await our.dispatch(order, 5_000)
    expect(result).toMatchObject({ outcome: 'dispatched', call: { state: 'ringing' } })
    const id = result.outcome === 'dispatched' ? result.call.providerCallId : ''
    expect(await our.find(order, new Date())).toMatchObject({ providerCallId: id })
    expect(await our.cancel(order.callId, id)).toMatchObject({ providerCallId: id, state: 'completed' })
    await expect.poll(() => receiver.heard.length, { timeout: 60_000 }).toBeGreaterThan(0)
    expect(receiver.heard[0]).toMatchObject({ callId: order.callId, call: { providerCallId: id } })
    const wrong = await our.dispatch(orderOf({ from: '+14155550111' }), 5_000)
    expect(wrong).toMatchObject({ outcome: 'refused', code: '21210' })
  })
})
