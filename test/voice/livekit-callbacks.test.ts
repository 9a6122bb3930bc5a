import { createHash, createHmac } from 'node:crypto'
import { AccessToken, TokenVerifier, WebhookReceiver } from 'livekit-server-sdk'
import { describe, expect, test } from 'vitest'
import { callOfParticipant } from '../../src/voice/providers/livekit-participant.ts'
import { livekitToken, readLivekitToken } from '../../src/voice/providers/livekit-token.ts'
import { BadSignature } from '../../src/voice/providers/provider.ts'
import { stageSchedules } from '../support/stand-ins/calls.ts'
import { orderOf } from '../support/stand-ins/dispatching.ts'
import { useLivekit } from '../support/stand-ins/use-livekit.ts'

const { standIn, receiver, provider, providerWith, since } = await useLivekit()

describe('webhooks', () => {
  test.each([
    ['completed', ['ringing', 'completed']],
    ['busy', ['ringing', 'busy']],
    ['no_answer', ['ringing', 'no_answer']],
    ['failed', ['failed']],
  ] as const)('callbacks report a call that is %s', async (course, states) => {
    standIn.calls.course = stageSchedules[course]
    const order = orderOf()
    await provider.dispatch(order, 5_000)
    await standIn.calls.advance(120_000)
    expect(receiver.states).toEqual(states)
    expect(receiver.heard.at(-1)).toMatchObject({ callId: order.callId, call: { durationSeconds: null } })
    expect(await provider.find(order, since)).toBeNull()
  })

  test('the SDK’s receiver accepts callbacks of the stand-in, and refuses edited callbacks and callbacks signed for another body', async () => {
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
    [4_000, true],
    [6_000, false],
  ])('a callback with %i objects more is read: %j', async (count, isRead) => {
    standIn.calls.holdsCallbacks = true
    await provider.dispatch(orderOf(), 5_000)
    await standIn.calls.advance(60_000)
    await standIn.calls.send(standIn.calls.callbacks[0]!)
    const event = JSON.parse(receiver.requests.at(-1)!.body.toString())
    const body = Buffer.from(JSON.stringify({ ...event, more: Array.from({ length: count }, () => ({})) }))
    const token = new AccessToken(standIn.apiKey, standIn.apiSecret)
    token.sha256 = createHash('sha256').update(body).digest('base64')
    const request = { ...receiver.requests.at(-1)!, body, headers: { authorization: await token.toJwt() } }
    expect((await provider.parseCallback(request)) !== null).toBe(isRead)
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
    'a callback that participant %j left for %s moves a call from %s to %s',
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

describe('access tokens', () => {
  test('LiveKit’s SDK accepts tokens of Crosswalk, and Crosswalk accepts tokens of the SDK', async () => {
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
    // The token has the right secret, but the hash of another body.
    const [, payload] = token.split('.')
    const text = `${Buffer.from('{"alg":"HS512","typ":"JWT"}').toString('base64url')}.${payload}`
    const signature = createHmac('sha256', standIn.apiSecret).update(text).digest('base64url')
    expect(readLivekitToken(standIn.apiKey, standIn.apiSecret, `${text}.${signature}`, now)).toBeNull()
  })
})
