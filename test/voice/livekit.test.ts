import { CreateAgentDispatchRequest, CreateSIPParticipantRequest } from '@livekit/protocol'
import { AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk'
import { describe, expect, test } from 'vitest'
import { Outbound } from '../../src/platform/outbound/outbound.ts'
import { CannotCancel, Unreachable } from '../../src/voice/providers/provider.ts'
import { answerTimeoutMs, dialFaults, orderOf } from '../support/stand-ins/dispatching.ts'
import { twirpError } from '../support/stand-ins/livekit.ts'
import { useLivekit } from '../support/stand-ins/use-livekit.ts'

const { standIn, provider, providerWith, since } = await useLivekit()
const asked = () => standIn.server.requests.map(({ path }) => path.replace('/twirp/livekit.', ''))
const roomOf = (order: { callId: string }) => standIn.rooms.get(`call-${order.callId}`)
const dial = /CreateSIPParticipant/
const [createDispatch, dialing] = ['AgentDispatchService/CreateDispatch', 'SIP/CreateSIPParticipant']
const deleteDispatch = 'AgentDispatchService/DeleteDispatch'

describe('dispatching', () => {
  test.each(dialFaults)(
    'a dispatch with %s while the callee is dialed has the documented outcome',
    async (_what, fault, outcome, dials) => {
      if (fault) standIn.server.fault({ ...fault, on: dial })
      const order = orderOf()
      const result = await provider.dispatch(order, answerTimeoutMs(fault) * 2)
      expect(result.outcome).toBe(outcome)
      expect(standIn.calls.dialsOf(order.callId)).toBe(dials)
      const isRefused = outcome === 'refused'
      expect(asked()).toEqual([createDispatch, dialing, ...(isRefused ? [deleteDispatch] : [])])
      expect(roomOf(order)?.dispatches).toHaveLength(isRefused ? 0 : 1)
      expect(standIn.server.hasFaults).toBe(false)
      const found = await provider.find(order, since)
      expect(found === null ? 0 : 1).toBe(dials)
    },
  )

  test.each(dialFaults.filter(([, , outcome]) => outcome !== 'dispatched'))(
    'a dispatch with %s while the agent is sent is refused, because nobody was dialed',
    async (_what, fault) => {
      standIn.server.fault({ ...fault!, on: /CreateDispatch/ })
      const order = orderOf()
      const result = await provider.dispatch(order, answerTimeoutMs(fault))
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
    ['an unknown trunk', { sip_trunk_id: 'none' }, {}, 'not_found', 'requested sip trunk does not exist'],
    [
      'a recipient that is not a number',
      {},
      { to: 'a@b' },
      'invalid_argument',
      'SipCallTo should be a phone number',
    ],
  ])(
    'a dispatch with %s is refused with the code and message of LiveKit',
    async (_what, credentials, changes, code, words) => {
      const order = orderOf(changes)
      const result = await providerWith(credentials).dispatch(order, 5_000)
      expect(result).toEqual({ outcome: 'refused', code, message: expect.stringContaining(words) })
      expect(roomOf(order)?.dispatches).toHaveLength(0)
    },
  )

  test.each([
    ['LiveKit stopped waiting', twirpError('deadline_exceeded', 'request timed out')],
    ['LiveKit was told to stop', twirpError('canceled', 'context canceled')],
    [
      'the callee was busy',
      twirpError('resource_exhausted', 'busy', { sip_status_code: '486', sip_status: 'Busy Here' }),
    ],
  ])('a dispatch has an unknown outcome if %s, although its status is 4xx', async (_what, error) => {
    standIn.server.fault({ on: dial, when: 'after', how: 'answer', ...error })
    const order = orderOf()
    expect(await provider.dispatch(order, 5_000)).toMatchObject({ outcome: 'unknown' })
    expect(roomOf(order)?.dispatches).toHaveLength(1)
  })

  test('a dispatch with a wrong secret, or to a closed port, is refused and shows no secret', async () => {
    const wrong = await providerWith({ api_secret: 'another-secret' }).dispatch(orderOf(), 5_000)
    expect(wrong).toEqual({
      ...{ outcome: 'refused', code: 'http_401' },
      message: 'No agent could be sent to the call: invalid authorization token',
    })
    const nobody = await providerWith({ url: 'http://127.0.0.1:9' }).dispatch(orderOf(), 5_000)
    expect(nobody).toMatchObject({ outcome: 'refused', code: 'unreachable' })
  })

  test.each([
    ['of thousands of objects', { dispatch: Array(50_000).fill({}) }],
    ['of half an emoji', { id: 'AD_1', note: `${'x'.repeat(20_000)}\ud83d` }],
  ])('a dispatch to a server that sends an agent with an answer %s has an outcome', async (what, body) => {
    standIn.server.fault({ on: /CreateDispatch/, when: 'after', how: 'answer', status: 200, body })
    const result = await provider.dispatch(orderOf(), 5_000)
    const isRead = what === 'of half an emoji'
    expect(result).toMatchObject(
      isRead
        ? { outcome: 'dispatched' }
        : { outcome: 'refused', message: expect.stringContaining('No agent could be sent') },
    )
    expect(standIn.calls.all).toHaveLength(isRead ? 1 : 0)
  })

  test('a dispatch to a server in the private network is refused unless the operator allows it', async () => {
    const guarded = providerWith({}, new Outbound({ allowPrivate: false }))
    const result = await guarded.dispatch(orderOf(), 5_000)
    expect(result).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('OUTBOUND_ALLOW_PRIVATE'),
    })
    await expect(guarded.find(orderOf(), since)).rejects.toThrow(Unreachable)
    expect(standIn.server.requests).toHaveLength(0)
  })

  test('a dispatch sends the numbers and the agent’s instructions in messages of the protocol', async () => {
    const order = orderOf({ disclosure: 'An AI is calling.' })
    const result = await provider.dispatch(order, 5_000)
    const [agent, callee] = standIn.server.requests.map(({ body }) => JSON.parse(body))
    // The protocol's messages refuse unknown members.
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

describe('searching', () => {
  test('the search for a call finds a ringing call and a call in progress, and fails without a clear answer of LiveKit', async () => {
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

describe('canceling', () => {
  test('canceling ends a call that rings or is in progress, and fails for a call that has ended', async () => {
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

describe('the stand-in', () => {
  test('LiveKit’s own SDK with the stand-in sends agents, dials, lists and closes rooms, and reads errors', async () => {
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
