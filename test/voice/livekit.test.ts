import { createHmac } from 'node:crypto'
import { CreateAgentDispatchRequest, CreateSIPParticipantRequest } from '@livekit/protocol'
import {
  AccessToken,
  AgentDispatchClient,
  RoomServiceClient,
  SipClient,
  TokenVerifier,
  WebhookReceiver,
} from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Outbound } from '../../src/platform/outbound/outbound.ts'
import { callOfParticipant } from '../../src/voice/providers/livekit-participant.ts'
import { livekitToken, readLivekitToken } from '../../src/voice/providers/livekit-token.ts'
import { BadSignature, CannotCancel, type Provider, Unreachable } from '../../src/voice/providers/provider.ts'
import { courses } from '../support/stand-ins/calls.ts'
import {
  CallbackReceiver,
  mishaps,
  orderOf,
  outside,
  outsideProvider,
  patience,
} from '../support/stand-ins/dispatching.ts'
import { LivekitStandIn, twirpError } from '../support/stand-ins/livekit.ts'

let standIn: LivekitStandIn
let provider: Provider
const since = new Date()
const receiver = new CallbackReceiver()

beforeAll(async () => {
  standIn = await LivekitStandIn.start()
  await receiver.listen()
  provider = providerWith()
  receiver.provider = provider
  standIn.webhookUrl = receiver.url
})
afterAll(async () => {
  await standIn.server.close()
  await receiver.close()
})
beforeEach(() => {
  standIn.calls.reset()
  standIn.rooms.clear()
  standIn.server.requests.length = 0
  receiver.clear()
})

function providerWith(changes: Record<string, string> = {}, outbound = outside.outbound): Provider {
  const { apiKey: api_key, apiSecret: api_secret, trunkId: sip_trunk_id } = standIn
  const url = standIn.server.url.replace('http', 'ws')
  const credentials = { url, api_key, api_secret, sip_trunk_id, agent_name: 'boiler-agent', ...changes }
  return outsideProvider('livekit', credentials, { ...outside, outbound })
}
const asked = () => standIn.server.requests.map(({ path }) => path.replace('/twirp/livekit.', ''))
const roomOf = (order: { callId: string }) => standIn.rooms.get(`call-${order.callId}`)
const dial = /CreateSIPParticipant/
const [createDispatch, dialing] = ['AgentDispatchService/CreateDispatch', 'SIP/CreateSIPParticipant']
const deleteDispatch = 'AgentDispatchService/DeleteDispatch'

describe('a dispatch', () => {
  test.each(mishaps)(
    'with %s while the callee is dialed has the documented outcome',
    async (_what, fault, outcome, dials) => {
      if (fault) standIn.server.fault({ ...fault, on: dial })
      const order = orderOf()
      const result = await provider.dispatch(order, patience(fault) * 2)
      expect(result.outcome).toBe(outcome)
      expect(standIn.calls.dialsOf(order.callId)).toBe(dials)
      // The agent stays where somebody may answer, and goes where nobody can.
      const isRefused = outcome === 'refused'
      expect(asked()).toEqual([createDispatch, dialing, ...(isRefused ? [deleteDispatch] : [])])
      expect(roomOf(order)?.dispatches).toHaveLength(isRefused ? 0 : 1)
      expect(standIn.server.hasFaults).toBe(false)
      const found = await provider.find(order, since)
      expect(found === null ? 0 : 1).toBe(dials)
    },
  )

  test.each(mishaps.filter(([, , outcome]) => outcome !== 'dispatched'))(
    'with %s while the agent is sent is refused, because nobody was dialed',
    async (_what, fault) => {
      standIn.server.fault({ ...fault!, on: /CreateDispatch/ })
      const order = orderOf()
      const result = await provider.dispatch(order, patience(fault))
      expect(result).toMatchObject({
        outcome: 'refused',
        message: expect.stringContaining('No agent could be sent'),
      })
      expect(standIn.calls.all).toHaveLength(0)
      expect(asked()).not.toContain(dialing)
      if (fault!.how !== 'silent') expect(roomOf(order)).toBeUndefined()
    },
  )

  test.each([
    ['without a trunk', { sip_trunk_id: 'none' }, {}, 'not_found', 'requested sip trunk does not exist'],
    ['to what is no number', {}, { to: 'a@b' }, 'invalid_argument', 'SipCallTo should be a phone number'],
  ])(
    '%s is refused with the code and message of LiveKit',
    async (_what, credentials, changes, code, words) => {
      const order = orderOf(changes)
      const result = await providerWith(credentials).dispatch(order, 5_000)
      expect(result).toEqual({ outcome: 'refused', code, message: expect.stringContaining(words) })
      expect(roomOf(order)?.dispatches).toHaveLength(0)
    },
  )

  test.each([
    ['the server gave up waiting', twirpError('deadline_exceeded', 'request timed out')],
    ['the server was told to stop', twirpError('canceled', 'context canceled')],
    [
      'it rang, and was busy',
      twirpError('resource_exhausted', 'busy', { sip_status_code: '486', sip_status: 'Busy Here' }),
    ],
  ])('has an unknown outcome if %s, although its status is 4xx', async (_what, error) => {
    standIn.server.fault({ on: dial, when: 'after', how: 'answer', ...error })
    const order = orderOf()
    expect(await provider.dispatch(order, 5_000)).toMatchObject({ outcome: 'unknown' })
    expect(roomOf(order)?.dispatches).toHaveLength(1)
  })

  test('with a wrong secret, or to a closed port, is refused and shows no secret', async () => {
    const wrong = await providerWith({ api_secret: 'another-secret' }).dispatch(orderOf(), 5_000)
    expect(wrong).toEqual({
      ...{ outcome: 'refused', code: 'http_401' },
      message: 'No agent could be sent to the call: invalid authorization token',
    })
    const nobody = await providerWith({ url: 'http://127.0.0.1:9' }).dispatch(orderOf(), 5_000)
    expect(nobody).toMatchObject({ outcome: 'refused', code: 'unreachable' })
  })

  test('to a server in the private network is refused unless the operator allows it', async () => {
    const guarded = providerWith({}, new Outbound({ allowPrivate: false }))
    const result = await guarded.dispatch(orderOf(), 5_000)
    expect(result).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('OUTBOUND_ALLOW_PRIVATE'),
    })
    await expect(guarded.find(orderOf(), since)).rejects.toThrow(Unreachable)
    expect(standIn.server.requests).toHaveLength(0)
  })

  test('sends the numbers and the agent’s instructions in messages of the protocol', async () => {
    const order = orderOf({ disclosure: 'An AI is calling.' })
    const result = await provider.dispatch(order, 5_000)
    const [agent, callee] = standIn.server.requests.map(({ body }) => JSON.parse(body))
    // The messages refuse what they do not know.
    expect(CreateAgentDispatchRequest.fromJson(agent)).toMatchObject({
      ...{ agentName: 'boiler-agent', room: `call-${order.callId}` },
    })
    expect(JSON.parse(agent.metadata)).toEqual({
      ...{ call_id: order.callId, to: order.to, from: order.from, instructions: order.instructions },
      ...{
        greeting: `An AI is calling. ${order.greeting}`,
        voice: order.voice,
        variables: order.variables,
        metadata: order.metadata,
      },
    })
    expect(CreateSIPParticipantRequest.fromJson(callee)).toMatchObject({
      ...{
        sipTrunkId: standIn.trunkId,
        sipCallTo: order.to,
        sipNumber: order.from,
        roomName: `call-${order.callId}`,
      },
      ...{ participantIdentity: `callee-${order.callId}`, waitUntilAnswered: false },
      maxCallDuration: { seconds: 900n },
    })
    expect(result).toMatchObject({
      ...{ outcome: 'dispatched', call: { providerCallId: standIn.calls.all[0]!.id, state: 'queued' } },
      answer: {
        dispatch: { agent_name: 'boiler-agent' },
        sip_participant: { sip_call_id: standIn.calls.all[0]!.id },
      },
    })
  })
})

describe('callbacks', () => {
  test.each([
    ['completed', ['ringing', 'completed']],
    ['busy', ['ringing', 'busy']],
    ['no_answer', ['ringing', 'no_answer']],
    ['failed', ['failed']],
  ] as const)('report a call that is %s', async (course, states) => {
    standIn.calls.course = courses[course]
    const order = orderOf()
    await provider.dispatch(order, 5_000)
    await standIn.calls.advance(120_000)
    expect(receiver.states).toEqual(states)
    expect(receiver.heard.at(-1)).toMatchObject({ callId: order.callId, call: { durationSeconds: null } })
    expect(await provider.find(order, since)).toBeNull()
  })

  test('are accepted by the SDK’s receiver, and refused if they are changed or signed for another body', async () => {
    standIn.calls.holdsCallbacks = true
    await provider.dispatch(orderOf(), 5_000)
    await standIn.calls.advance(60_000)
    const [joined, left] = standIn.calls.callbacks
    for (const callback of [left!, joined!, left!]) await standIn.calls.send(callback)
    expect(receiver.states).toEqual(['completed', 'ringing', 'completed'])
    const request = receiver.requests[0]!
    const sdk = new WebhookReceiver(standIn.apiKey, standIn.apiSecret)
    const event = await sdk.receive(request.body.toString(), request.headers.authorization)
    expect(event).toMatchObject({ event: 'participant_left', participant: { disconnectReason: 1 } })
    const token = request.headers.authorization!
    const [head, payload, signature] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const unsigned = (authorization: string) => ({ ...request, headers: { authorization } })
    const plain = livekitToken(standIn.apiKey, standIn.apiSecret, {}, Math.floor(Date.now() / 1000))
    const refused = [
      { ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) },
      ...[
        '',
        'Bearer x',
        `${none}.${payload}.`,
        `${head}.${payload}.`,
        `${head}.${payload}.${signature}x`,
      ].map(unsigned),
      ...[`${token}.${signature}`, plain].map(unsigned),
      { ...request, headers: {} },
    ]
    for (const each of refused) await expect(provider.parseCallback(each)).rejects.toThrow(BadSignature)
    expect(await provider.parseCallback(unsigned(`Bearer ${token}`))).not.toBeNull()
    for (const other of [{ api_key: 'APIother' }, { api_secret: 'another-secret' }])
      await expect(providerWith(other).parseCallback(request)).rejects.toThrow(BadSignature)
  })

  test.each([
    [{ 'sip.callStatus': 'dialing' }, undefined, 'ringing', 'failed'],
    [{ 'sip.callStatus': 'dialing' }, 'ROOM_DELETED', 'ringing', 'canceled'],
    [{ 'sip.callStatus': 'dialing' }, 11, 'ringing', 'no_answer'],
    [{ 'sip.callStatus': 'active' }, 'ROOM_DELETED', 'in_progress', 'completed'],
    [{ 'sip.callStatus': 'automation' }, undefined, 'in_progress', 'completed'],
    [{ 'sip.callStatus': 'hangup' }, 'USER_REJECTED', 'completed', 'busy'],
    [{}, 'SIP_TRUNK_FAILURE', 'queued', 'failed'],
  ])(
    'about participant %j that leaves for %s move a call from %s to %s',
    (attributes, reason, state, end) => {
      const participant = {
        attributes: { 'sip.callID': 'SCL_1', ...attributes },
        ...(reason !== undefined && { disconnectReason: reason }),
      }
      expect(callOfParticipant(participant)?.state).toBe(state)
      expect(callOfParticipant(participant, true)?.state).toBe(end)
      expect(callOfParticipant({ identity: 'agent' })).toBeNull()
    },
  )
})

describe('the search for a call', () => {
  test('finds a ringing call and one in progress, and fails without a clear answer of LiveKit', async () => {
    const order = orderOf()
    await provider.dispatch(order, 5_000)
    expect(await provider.find(order, since)).toMatchObject({ state: 'ringing' })
    await standIn.calls.advance(6_000)
    expect(await provider.find(order, since)).toMatchObject({ state: 'in_progress' })
    for (const how of ['truncated', 'drop', 'half', 'answer'] as const) {
      standIn.server.fault({ when: 'after', how })
      await expect(provider.find(order, since)).rejects.toThrow(Unreachable)
    }
    await expect(providerWith({ api_secret: 'another-secret' }).find(order, since)).rejects.toThrow(
      Unreachable,
    )
  })
})

describe('a cancel', () => {
  test('ends a call that rings or is in progress, and fails for one that has ended', async () => {
    for (const [ms, state] of [
      [2_000, 'canceled'],
      [10_000, 'completed'],
    ] as const) {
      const order = orderOf()
      await provider.dispatch(order, 5_000)
      const { id } = standIn.calls.all.at(-1)!
      await standIn.calls.advance(ms)
      expect(await provider.cancel(order.callId, id)).toMatchObject({ providerCallId: id, state })
      expect(standIn.calls.find(id)!.stage).toBe(state)
      await expect(provider.cancel(order.callId, id)).rejects.toThrow(CannotCancel)
    }
  })
})

describe('tokens', () => {
  test('of Crosswalk pass the SDK’s check, and those of the SDK pass ours', async () => {
    const [now, grant] = [Math.floor(Date.now() / 1000), { roomAdmin: true, room: 'call-1' }]
    const ours = livekitToken(standIn.apiKey, standIn.apiSecret, { video: grant }, now)
    const verifier = new TokenVerifier(standIn.apiKey, standIn.apiSecret)
    expect(await verifier.verify(ours)).toMatchObject({ iss: standIn.apiKey, video: grant })
    const theirs = new AccessToken(standIn.apiKey, standIn.apiSecret, { ttl: 60 })
    theirs.addGrant(grant)
    const token = await theirs.toJwt()
    expect(readLivekitToken(standIn.apiKey, standIn.apiSecret, token, now)).toMatchObject({ video: grant })
    expect(readLivekitToken(standIn.apiKey, standIn.apiSecret, token, now + 200)).toBeNull()
    expect(readLivekitToken(standIn.apiKey, standIn.apiSecret, token, now - 200)).toBeNull()
    // Signed with the secret, but by its own account in another way.
    const [, payload] = token.split('.')
    const text = `${Buffer.from('{"alg":"HS512","typ":"JWT"}').toString('base64url')}.${payload}`
    const signature = createHmac('sha256', standIn.apiSecret).update(text).digest('base64url')
    expect(readLivekitToken(standIn.apiKey, standIn.apiSecret, `${text}.${signature}`, now)).toBeNull()
  })
})

describe('LiveKit’s own SDK with the stand-in', () => {
  test('sends agents, dials, lists and closes rooms, and reads errors', async () => {
    const { url } = standIn.server
    const access = [url, standIn.apiKey, standIn.apiSecret] as const
    const [agents, sip, rooms] = [
      new AgentDispatchClient(...access),
      new SipClient(...access),
      new RoomServiceClient(...access),
    ]
    const sent = await agents.createDispatch('call-1', 'boiler-agent', { metadata: '{}' })
    expect(sent).toMatchObject({ agentName: 'boiler-agent', room: 'call-1', metadata: '{}' })
    expect((await agents.listDispatch('call-1')).map(({ id }) => id)).toEqual([sent.id])
    const callee = await sip.createSipParticipant(standIn.trunkId, '+442079460018', 'call-1', {
      ...{ participantIdentity: 'callee-1', fromNumber: '+14155550100' },
    })
    expect(callee).toMatchObject({ participantIdentity: 'callee-1', roomName: 'call-1' })
    expect(callee.sipCallId).toBe(standIn.calls.all[0]!.id)
    await standIn.calls.advance(6_000)
    const [there] = await rooms.listParticipants('call-1')
    expect(there).toMatchObject({ identity: 'callee-1', kind: 3, attributes: { 'sip.callStatus': 'active' } })
    await agents.deleteDispatch(sent.id, 'call-1')
    expect(await agents.listDispatch('call-1')).toEqual([])
    await rooms.deleteRoom('call-1')
    await expect(rooms.deleteRoom('call-1')).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await expect(sip.createSipParticipant('none', '+442079460018', 'call-2')).rejects.toMatchObject({
      ...{ status: 404, code: 'not_found' },
    })
  })
})
