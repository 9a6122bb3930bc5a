import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { create, deniedConsent, newCaller, outcome, place, suppress } from '../support/callers.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'
import { LivekitStandIn } from '../support/stand-ins/livekit.ts'
import { TwilioStandIn } from '../support/stand-ins/twilio.ts'
import { VapiStandIn } from '../support/stand-ins/vapi.ts'

const [twilio, vapi, livekit] = [
  await TwilioStandIn.start(),
  await VapiStandIn.start(),
  await LivekitStandIn.start(),
]
const standIns = { twilio, vapi, livekit }
const app = await startTestApp({
  ...{ outboundAllowPrivate: true, twilioApiUrl: twilio.server.url, vapiApiUrl: vapi.server.url },
})
afterAll(async () => {
  await app.close()
  for (const { server } of Object.values(standIns)) await server.close()
})
afterEach(() => {
  for (const { calls, server } of Object.values(standIns)) {
    calls.reset()
    server.hold = () => {}
    server.requests.length = 0
  }
})

const credentials = {
  twilio: { account_sid: twilio.accountSid, auth_token: twilio.authToken },
  vapi: { api_key: vapi.apiKey, assistant_id: vapi.assistantId, phone_number_id: vapi.phoneNumberId },
  livekit: {
    ...{ url: livekit.server.url, api_key: livekit.apiKey, api_secret: livekit.apiSecret },
    ...{ sip_trunk_id: livekit.trunkId, agent_name: 'boiler-agent' },
  },
}
type Outside = keyof typeof standIns
const outside: Outside[] = ['twilio', 'vapi', 'livekit']

const caller = (provider: Outside, voice = {}) =>
  newCaller(app, { provider, credentials: credentials[provider] }, voice)

describe.each(outside)('calls through %s', (name) => {
  const { calls, server } = standIns[name]

  test.each([
    ['consent', (org: TestOrg, id: string) => org.patch(`/contacts/${id}`, deniedConsent), 'consent_denied'],
    ['the suppression list', (org: TestOrg) => suppress(org), 'number_suppressed'],
  ])(
    'a refusal by %s that commits after the first check stops the call before the provider gets a request',
    async (_how, refuse, code) => {
      const { org, speaker } = await caller(name)
      const id = await create(org, {})
      const placed = await withClient(app, async (client) => {
        await client.query('begin')
        // A call that has passed its first checks waits for this lock on the slots.
        await client.query(
          `select pg_advisory_xact_lock(hashtextextended('call slots ' || $1 || 'live', 0))`,
          [org.orgId],
        )
        const placing = place(org, speaker, 'raced')
        await untilBlocked(client)
        await refuse(org, id)
        await client.query('rollback')
        return placing
      })
      expect([placed.status, placed.body.code]).toEqual([400, code])
      expect(calls.all).toEqual([])
      const [call] = (await org.get('/voice/calls')).body.data
      expect(call).toMatchObject({ status: 'failed', duration_seconds: 0, error: { code } })
      const { months, concurrent_calls } = (await org.get('/voice/usage')).body.data
      expect([months[0].live, concurrent_calls]).toEqual([
        { calls: 1, answered: 0, seconds: 0, minutes: 0 },
        0,
      ])
      expect((await place(org, speaker, 'raced')).body.code).toBe(code)
    },
  )

  test.each([
    [
      'consent is denied',
      (org: TestOrg, id: string) => org.patch(`/contacts/${id}`, deniedConsent),
      'consent_denied',
    ],
    ['the number is suppressed', (org: TestOrg) => suppress(org), 'number_suppressed'],
  ])(
    'after the answer says that %s, neither running requests nor new ones dial',
    async (_what, refuse, code) => {
      const { org, speaker } = await caller(name)
      const id = await create(org, {})
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      const isDial = ({ path }: { path: string }) => !path.endsWith('/CreateDispatch')
      // The call rings, then consent is denied, and then its provider answers.
      server.hold = async (request) => {
        if (isDial(request)) await answered
      }
      const ringing = place(org, speaker)
      await expect.poll(() => server.requests.filter(isDial).length, patience).toBe(1)
      const waiting = await withClient(app, async (client) => {
        await client.query('begin')
        await client.query(
          `select pg_advisory_xact_lock(hashtextextended('call slots ' || $1 || 'live', 0))`,
          [org.orgId],
        )
        // The calls have passed their first checks, and wait for the lock on the slots.
        const placing = Array.from({ length: 4 }, () => outcome(org, speaker))
        await untilBlocked(client)
        await refuse(org, id)
        await client.query('rollback')
        return placing
      })
      answer()
      expect((await ringing).body.status).toBe('dispatched')
      const later = [...waiting, ...Array.from({ length: 4 }, () => outcome(org, speaker))]
      expect(await Promise.all(later)).toEqual(Array(8).fill(code))
      expect(calls.all).toHaveLength(1)
    },
  )

  test.each<[string, string, string, object]>([
    ['English', 'en-GB', 'This is a call from an AI assistant.', {}],
    ['the language of the persona', 'de-DE', 'Dies ist ein Anruf von einem KI-Assistenten.', {}],
    ['English if the language has no translation', 'tlh', 'This is a call from an AI assistant.', {}],
    [
      'the text of the organization',
      'de-DE',
      'Acme: an AI speaks.',
      { ai_disclosure_text: 'Acme: an AI speaks.' },
    ],
    ['no language once the disclosure is switched off', 'en-GB', '', { ai_disclosure: false }],
  ])('the first sentence says that an AI is calling, in %s', async (_which, language, sentence, settings) => {
    const { org, speaker } = await caller(name, { language })
    await org.patch('/voice/settings', settings)
    expect(await outcome(org, speaker)).toBe('dispatched')
    expect(spokenTo[name](server.requests.map(({ body }) => body))).toBe(
      `${sentence} Hello from Acme.`.trim(),
    )
  })
})

/** The first sentence that the provider was told to speak. */
const spokenTo: Record<Outside, (bodies: string[]) => string> = {
  twilio: ([body]) => />([^<>]*)<\/Say>/.exec(new URLSearchParams(body).get('Twiml')!)![1]!,
  vapi: ([body]) => JSON.parse(body!).assistantOverrides.firstMessage,
  livekit: ([body]) => JSON.parse(JSON.parse(body!).metadata).greeting,
}

test('if consent is denied while LiveKit sends its agent, nobody is dialed, and the agent is removed', async () => {
  const { org, speaker } = await caller('livekit')
  const id = await create(org, {})
  livekit.server.hold = async ({ path }) => {
    if (path.endsWith('/CreateDispatch')) await org.patch(`/contacts/${id}`, deniedConsent)
  }
  expect(await outcome(org, speaker)).toBe('consent_denied')
  expect(livekit.server.requests.map(({ path }) => path.split('/').at(-1))).toEqual([
    ...['CreateDispatch', 'DeleteDispatch'],
  ])
})
