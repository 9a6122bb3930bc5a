import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { stageSchedules } from '../support/stand-ins/calls.ts'
import { LivekitStandIn } from '../support/stand-ins/livekit.ts'
import { TwilioStandIn } from '../support/stand-ins/twilio.ts'
import { VapiStandIn } from '../support/stand-ins/vapi.ts'

/** A proxy in front of the server, because providers call its public address. */
const gate = createServer((incoming, outgoing) => {
  const { method, url, headers } = incoming
  const inner = forward(
    `${app.address}${url}`,
    { method, headers: { ...headers, host: 'inner' } },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    },
  )
  incoming.pipe(inner)
})
await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
const publicUrl = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`

const [twilio, vapi, livekit] = [
  await TwilioStandIn.start(),
  await VapiStandIn.start(),
  await LivekitStandIn.start(),
]
const app = await startTestApp({
  ...{ publicUrl, outboundAllowPrivate: true, movesCalls: true },
  ...{ twilioApiUrl: twilio.server.url, vapiApiUrl: vapi.server.url },
})
afterAll(async () => {
  await app.close()
  gate.closeAllConnections()
  gate.close()
  for (const { server } of [twilio, vapi, livekit]) await server.close()
})
beforeEach(() => {
  for (const { calls } of [twilio, vapi, livekit]) calls.reset()
})

const credentials = {
  twilio: { account_sid: twilio.accountSid, auth_token: twilio.authToken },
  vapi: { api_key: vapi.apiKey, assistant_id: vapi.assistantId, phone_number_id: vapi.phoneNumberId },
  livekit: {
    ...{ url: livekit.server.url, api_key: livekit.apiKey, api_secret: livekit.apiSecret },
    ...{ sip_trunk_id: livekit.trunkId, agent_name: 'boiler-agent' },
  },
}
const standIns = { twilio, vapi, livekit }
type Name = keyof typeof standIns
const each: [Name][] = [['twilio'], ['vapi'], ['livekit']]
const dialing: Record<Name, RegExp> = {
  twilio: /POST .*Calls\.json/,
  vapi: /POST \/call$/,
  livekit: /CreateSIPParticipant/,
}

/** An org that calls through a provider, and a persona of the org. */
async function orgWith(provider: Name): Promise<{ org: TestOrg; call: object }> {
  const org = await app.newOrg()
  const set = await org.patch('/voice/settings', { provider, credentials: credentials[provider] })
  expect(set.status, set.text).toBe(200)
  await org.post('/voice/numbers', { number: '+14155550100' })
  const { body } = await org.post('/personas', { name: 'Ann', greeting: 'Hello' })
  await org.post(`/personas/${body.data.persona_id}/activate`)
  return { org, call: { to_number: '+442071838750', persona_id: body.data.persona_id } }
}
const read = async (org: TestOrg, callId: string) => (await org.get(`/voice/calls/${callId}`)).body.data

describe.each(each)('calls through %s', (name) => {
  const { calls, server } = standIns[name]

  test('a call is dialed once, and its callbacks update the call until it ends', async () => {
    const { org, call } = await orgWith(name)
    livekit.webhookUrl = `${publicUrl}/hooks/voice/livekit/${app.app.context.orgTokens.make(org.orgId)}`
    calls.course = stageSchedules.busy
    const key = { headers: { 'idempotency-key': `once-${name}` } }
    const placed = await org.post('/voice/calls', call, key)
    expect(placed.status, placed.text).toBe(201)
    expect(placed.body).toMatchObject({
      status: 'dispatched',
      provider: name,
      provider_call_id: calls.all[0]!.id,
    })
    expect((await org.post('/voice/calls', call, key)).body.call_id).toBe(placed.body.call_id)
    await calls.advance(1_500)
    expect((await read(org, placed.body.call_id)).status).toBe('ringing')
    await calls.advance(10_000)
    expect((await read(org, placed.body.call_id)).status).toBe('busy')
    expect(calls.callbacks.map(({ status }) => status)).toEqual([200, 200])
    expect(calls.dialsOf(placed.body.call_id)).toBe(1)
  })

  test('a call that the provider refuses gets 502 with its message and leaves its idempotency key free', async () => {
    const { org, call } = await orgWith(name)
    const key = { headers: { 'idempotency-key': `refused-${name}` } }
    server.fault({ on: dialing[name], when: 'before', how: 'answer', status: 402, body: 'no credit left' })
    const refused = await org.post('/voice/calls', call, key)
    expect([refused.status, refused.text]).toEqual([502, expect.stringContaining('no credit left')])
    const placed = await org.post('/voice/calls', call, key)
    expect([placed.status, calls.all.length]).toEqual([201, 1])
  })

  test('polling finds a call whose dispatch was not answered; the call can be canceled and is not dialed again', async () => {
    const { org, call } = await orgWith(name)
    const key = { headers: { 'idempotency-key': `lost-${name}` } }
    server.fault({ on: dialing[name], when: 'after', how: 'drop' })
    const placed = await org.post('/voice/calls', call, key)
    expect([placed.status, placed.body.status]).toEqual([201, 'unknown'])
    // Hold the callbacks back, so that the server must poll.
    calls.holdsCallbacks = true
    await calls.advance(6_000)
    const callId = placed.body.call_id
    await expect.poll(() => read(org, callId), patience).toMatchObject({ status: 'in_progress' })
    expect((await read(org, callId)).provider_call_id).toBe(calls.all[0]!.id)
    expect((await org.post('/voice/calls', call, key)).body.call_id).toBe(callId)
    const ended = await org.post(`/voice/calls/${callId}/cancel`)
    expect(ended.status, ended.text).toBe(200)
    expect((await read(org, callId)).status).toBe('completed')
    expect(calls.dialsOf(callId)).toBe(1)
  })
})
