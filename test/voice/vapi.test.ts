import { VapiClient, VapiError } from '@vapi-ai/server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BadSignature, CannotCancel, type Provider, Unreachable } from '../../src/voice/providers/provider.ts'
import { vapiCall } from '../../src/voice/providers/vapi-call.ts'
import { stageSchedules } from '../support/stand-ins/calls.ts'
import {
  answerTimeoutMs,
  CallbackReceiver,
  dialFaults,
  orderOf,
  outside,
  outsideProvider,
} from '../support/stand-ins/dispatching.ts'
import { VapiStandIn, vapiError } from '../support/stand-ins/vapi.ts'

let standIn: VapiStandIn
let provider: Provider
let since: Date
const receiver = new CallbackReceiver()

beforeAll(async () => {
  standIn = await VapiStandIn.start()
  await receiver.listen()
  provider = providerWith()
  receiver.provider = provider
})
afterAll(async () => {
  await standIn.server.close()
  await receiver.close()
})
beforeEach(() => {
  standIn.calls.reset()
  since = new Date(standIn.calls.now)
  receiver.clear()
})

function providerWith(changes: Record<string, string> = {}, vapiApiUrl = standIn.server.url): Provider {
  const { apiKey: api_key, assistantId: assistant_id, phoneNumberId: phone_number_id } = standIn
  return outsideProvider(
    'vapi',
    { api_key, assistant_id, phone_number_id, ...changes },
    { ...outside, vapiApiUrl },
  )
}
const withCallback = () => orderOf({ callbackUrl: receiver.url })
const dialRequests = () =>
  standIn.server.requests.filter(({ method, path }) => method === 'POST' && path === '/call')
const idOf = async (order: ReturnType<typeof orderOf>) => {
  const result = await provider.dispatch(order, 5_000)
  return result.outcome === 'dispatched' ? result.call.providerCallId : ''
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
      const found = await provider.find(order, since)
      expect(found === null ? 0 : 1).toBe(dials)
    },
  )

  test.each([
    ['an invalid number', {}, { to: '+1' }, 'customer.number must be a valid phone number'],
    ['an unknown assistant', { assistant_id: 'none' }, {}, "Couldn't Get Assistant"],
    ['an unknown caller id', {}, { fromRef: 'none' }, "Couldn't Get Phone Number"],
  ])(
    'a dispatch with %s is refused with the code and message of Vapi',
    async (_what, credentials, order, words) => {
      const result = await providerWith(credentials).dispatch(orderOf(order), 5_000)
      expect(result).toEqual({
        outcome: 'refused',
        code: 'Bad Request',
        message: expect.stringContaining(words),
      })
    },
  )

  test('a dispatch with a wrong key, or to a closed port, is refused and shows no secret', async () => {
    const wrong = await providerWith({ api_key: 'another-key' }).dispatch(orderOf(), 5_000)
    expect(wrong).toMatchObject({ outcome: 'refused', code: 'Unauthorized' })
    const words = vapiError(400, 'Bad Request', `no ${standIn.apiKey}`)
    standIn.server.fault({ when: 'before', how: 'answer', ...words })
    expect(await provider.dispatch(orderOf(), 5_000)).toMatchObject({ message: 'no [redacted]' })
    const nobody = await providerWith({}, 'http://127.0.0.1:9').dispatch(orderOf(), 5_000)
    expect(nobody).toMatchObject({ outcome: 'refused', code: 'unreachable' })
  })

  test('a dispatch sends the numbers, the instructions and the callback address, and its answer has no token', async () => {
    const order = orderOf({ callbackUrl: receiver.url, disclosure: 'An AI is calling.' })
    const result = await provider.dispatch(order, 5_000)
    const body = JSON.parse(dialRequests().at(-1)!.body)
    expect(body).toEqual({
      ...{ name: order.callId, assistantId: standIn.assistantId, phoneNumberId: standIn.phoneNumberId },
      customer: { number: order.to, externalId: order.callId },
      assistantOverrides: {
        variableValues: { name: 'Zoë', instructions: 'Ask about the boiler.' },
        metadata: { campaign: 7, call_id: order.callId },
        firstMessage: `An AI is calling. ${order.greeting}`,
        firstMessageMode: 'assistant-speaks-first',
        maxDurationSeconds: 900,
        serverMessages: ['status-update', 'end-of-call-report'],
        monitorPlan: { listenEnabled: false, controlEnabled: true, controlAuthenticationEnabled: false },
        server: {
          url: `${receiver.url}?call_id=${order.callId}`,
          headers: { 'x-callback-token': expect.stringMatching(/^[\w-]{43}$/) },
        },
      },
    })
    const token = body.assistantOverrides.server.headers['x-callback-token']
    expect(JSON.stringify(result)).not.toContain(token)
    expect(result).toMatchObject({
      outcome: 'dispatched',
      call: { providerCallId: standIn.calls.all[0]!.id, state: 'queued', durationSeconds: null },
      answer: { name: order.callId, status: 'queued' },
    })
  })
})

describe('server messages', () => {
  test.each([
    ['completed', ['ringing', 'in_progress', 'completed']],
    ['busy', ['ringing', 'busy']],
    ['no_answer', ['ringing', 'no_answer']],
    ['failed', ['failed']],
  ] as const)('callbacks report a call that is %s', async (course, states) => {
    standIn.calls.course = stageSchedules[course]
    const order = withCallback()
    await provider.dispatch(order, 5_000)
    await standIn.calls.advance(120_000)
    expect(receiver.states).toEqual(states)
    const durationSeconds = course === 'completed' ? 20 : null
    expect(receiver.heard.at(-1)).toMatchObject({ callId: order.callId, call: { durationSeconds } })
    expect(await provider.find(order, since)).toMatchObject({ state: states.at(-1), durationSeconds })
  })

  test('callbacks that are late or repeated are accepted, and a token of another call is refused', async () => {
    standIn.calls.holdsCallbacks = true
    const [order, other] = [withCallback(), withCallback()]
    await provider.dispatch(order, 5_000)
    await provider.dispatch(other, 5_000)
    await standIn.calls.advance(60_000)
    const made = standIn.calls.callbacks.filter(({ url }) => url.includes(order.callId))
    for (const callback of [made[2]!, made[0]!, made[2]!]) await standIn.calls.send(callback)
    expect(receiver.states).toEqual(['completed', 'ringing', 'completed'])
    const request = receiver.requests.at(-1)!
    const url = request.url.replace(order.callId, other.callId)
    const token = request.headers['x-callback-token']!
    const refused = [
      { ...request, url },
      { ...request, url: request.url.replace(/\?.*/, '') },
      { ...request, headers: {} },
      { ...request, headers: { 'x-callback-token': `${token.slice(0, -1)}` } },
    ]
    for (const each of refused) await expect(provider.parseCallback(each)).rejects.toThrow(BadSignature)
    const stranger = providerWith({ api_key: 'another-key' })
    await expect(stranger.parseCallback(request)).rejects.toThrow(BadSignature)
    // The callback names another call than its token.
    const body = Buffer.from(request.body.toString().replaceAll(order.callId, other.callId))
    expect(await provider.parseCallback({ ...request, body })).toBeNull()
  })

  test('callbacks that report the end of a call are read; unknown messages and invalid JSON are ignored', async () => {
    const order = withCallback()
    const providerCallId = await idOf(order)
    await standIn.calls.advance(2_000)
    const request = receiver.requests[0]!
    const of = (message: object) =>
      provider.parseCallback({ ...request, body: Buffer.from(JSON.stringify({ message })) })
    const call = { id: providerCallId, name: order.callId, status: 'in-progress' }
    const report = { startedAt: '2026-11-21T10:00:00.000Z', endedAt: '2026-11-21T10:01:05.400Z' }
    expect(
      await of({ type: 'end-of-call-report', endedReason: 'customer-ended-call', call, ...report }),
    ).toEqual({
      callId: order.callId,
      call: { providerCallId, state: 'completed', durationSeconds: 65 },
    })
    // The transcript ends inside an emoji, and the number is valid JSON.
    const cut = `{"transcript":"\\ud83d","cost":1e999,${JSON.stringify({ type: 'status-update', status: 'ended', call }).slice(1)}`
    const moved = await provider.parseCallback({ ...request, body: Buffer.from(`{"message":${cut}}`) })
    expect(moved).toMatchObject({ callId: order.callId })
    expect(await of({ type: 'transcript', call })).toBeNull()
    expect(await of({ type: 'status-update', status: 'dancing', call })).toBeNull()
    expect(await provider.parseCallback({ ...request, body: Buffer.from('[') })).toBeNull()
  })
})

test.each([
  ...[
    ['customer-ended-call', 'completed'],
    ['assistant-ended-call', 'completed'],
    ['voicemail', 'completed'],
  ],
  ...[
    ['silence-timed-out', 'completed'],
    ['exceeded-max-duration', 'completed'],
    ['customer-busy', 'busy'],
  ],
  ...[
    ['customer-did-not-answer', 'no_answer'],
    ['manually-canceled', 'canceled'],
    ['vonage-rejected', 'failed'],
  ],
  ...[
    ['call.start.error-subscription-concurrency-limit-reached', 'failed'],
    ['assistant-not-found', 'failed'],
  ],
  ...[['call.in-progress.error-sip-outbound-call-failed-to-connect', 'failed']],
  ...[['call.in-progress.error-providerfault-outbound-sip-480-temporarily-unavailable', 'failed']],
  ...[
    ['twilio-reported-customer-misdialed', 'failed'],
    ['call.in-progress.sip-completed-call', 'completed'],
  ],
] as [string, string][])('a call that ended for %s is %s', (endedReason, state) => {
  expect(vapiCall({ id: '1', status: 'ended', endedReason })?.state).toBe(state)
})

describe('searching', () => {
  test('the search for a call reads several pages, newest first', async () => {
    const [first, ...more] = Array.from({ length: 205 }, () => orderOf())
    for (const order of [first!, ...more]) {
      standIn.calls.now += 10
      standIn.calls.dial({
        ...{ id: order.callId.toUpperCase(), callId: order.callId, to: order.to, from: '' },
        details: { name: order.callId, assistantId: standIn.assistantId },
      })
    }
    const asked = standIn.server.requests.length
    expect(await provider.find(first!, since)).toMatchObject({ providerCallId: first!.callId.toUpperCase() })
    expect(standIn.server.requests.length - asked).toBe(3)
    expect(await provider.find(orderOf(), since)).toBeNull()
  })

  test('the search for a call fails if Vapi gives no usable answer', async () => {
    for (const how of ['truncated', 'drop', 'half'] as const) {
      standIn.server.fault({ when: 'after', how })
      await idOf(orderOf())
      standIn.server.fault({ when: 'after', how })
      await expect(provider.find(orderOf(), since)).rejects.toThrow(Unreachable)
    }
    await expect(providerWith({ api_key: 'another-key' }).find(orderOf(), since)).rejects.toThrow(Unreachable)
  })
})

describe('canceling', () => {
  test('canceling ends a call that rings or is in progress, and fails for a queued call', async () => {
    const order = withCallback()
    const id = await idOf(order)
    await expect(provider.cancel(order.callId, id)).rejects.toThrow(CannotCancel)
    await standIn.calls.advance(2_000)
    expect(await provider.cancel(order.callId, id)).toMatchObject({ providerCallId: id, state: 'canceled' })
    expect(await provider.cancel(order.callId, id)).toMatchObject({ state: 'canceled' })
    const talked = withCallback()
    const talkedId = await idOf(talked)
    await standIn.calls.advance(10_000)
    expect(await provider.cancel(talked.callId, talkedId)).toMatchObject({ state: 'completed' })
    await expect(provider.cancel(order.callId, 'none')).rejects.toThrow('No call found')
  })
})

describe('the stand-in', () => {
  test("Vapi's own SDK with the stand-in creates, reads and lists calls, and reads errors", async () => {
    const client = new VapiClient({ token: standIn.apiKey, environment: standIn.server.url, maxRetries: 0 })
    const { assistantId, phoneNumberId } = standIn
    const call = { assistantId, phoneNumberId, name: 'mine', customer: { number: '+442079460018' } }
    const made = await client.calls.create(call)
    expect(made).toMatchObject({ ...call, status: 'queued', type: 'outboundPhoneCall' })
    const id = 'id' in made ? made.id : ''
    await standIn.calls.advance(60_000)
    expect(await client.calls.get({ id })).toMatchObject({
      status: 'ended',
      endedReason: 'customer-ended-call',
    })
    expect(
      (await client.calls.list({ assistantId, createdAtGe: since.toISOString() })).map((each) => each.id),
    ).toEqual([id])
    const refused = client.calls.create({ ...call, customer: { number: '+1' } })
    await expect(refused).rejects.toSatisfy((error) => error instanceof VapiError && error.statusCode === 400)
    expect(standIn.calls.all).toHaveLength(1)
  })

  test('the vendor’s SDK dials again after a 503 although the phone rang, and Crosswalk does not', async () => {
    const client = new VapiClient({ token: standIn.apiKey, environment: standIn.server.url, maxRetries: 1 })
    const { assistantId, phoneNumberId } = standIn
    standIn.server.fault({ when: 'after', how: 'answer', status: 503 })
    await client.calls.create({
      assistantId,
      phoneNumberId,
      name: 'twice',
      customer: { number: '+442079460018' },
    })
    expect(standIn.calls.dialsOf('twice')).toBe(2)
  })
})
