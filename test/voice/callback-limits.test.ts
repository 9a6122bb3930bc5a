import { afterAll, afterEach, expect, test } from 'vitest'
import { BadSignature, type CallbackRequest, type Provider } from '../../src/voice/providers/provider.ts'
import { providerMakers } from '../../src/voice/providers/providers.ts'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'
import { headOf } from '../support/half-sent.ts'
import { metricOf } from '../support/metrics.ts'
import { patience } from '../support/patience.ts'
import { RawConnection } from '../support/raw-http.ts'

const app = await startTestApp({ publicUrl: 'https://crosswalk.example', trustProxy: true })
const real = providerMakers.vapi
afterEach(() => {
  providerMakers.vapi = real
})
afterAll(() => app.close())

const vapi = { api_key: 'vapi-key-0001', assistant_id: 'a', phone_number_id: 'p' }
const livekit = {
  ...{ url: 'wss://livekit.example.com', api_key: 'key', api_secret: 'c'.repeat(32) },
  ...{ sip_trunk_id: 'ST_x', agent_name: 'a' },
}

async function orgAt(provider: string, credentials: object): Promise<TestOrg> {
  const org = await app.newOrg()
  expect((await org.patch('/voice/settings', { provider, credentials })).status).toBe(200)
  return org
}

const pathOf = (org: TestOrg, provider: string) =>
  `/hooks/voice/${provider}/${app.app.context.orgTokens.make(org.orgId)}`

const send = (org: TestOrg, provider: string, raw: string, headers = {}): Promise<Answer> =>
  app.stranger.post(pathOf(org, provider), undefined, { prefix: '', raw, headers })

test('only an organization with 2 running and 128 waiting callbacks gets 503 with Retry-After', async () => {
  const [flooded, idle] = [await orgAt('vapi', vapi), await orgAt('vapi', vapi)]
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let [running, most, read] = [0, 0, 0]
  const parseCallback = async ({ orgId }: CallbackRequest) => {
    if (orgId === idle.orgId) return null
    most = Math.max(most, ++running)
    await gate
    running--
    read++
    return null
  }
  providerMakers.vapi = () => ({ parseCallback }) as unknown as Provider
  const answers: number[] = []
  const sent = Array.from({ length: 133 }, async () => {
    const answer = await send(flooded, 'vapi', '{}')
    answers.push(answer.status)
    return answer
  })
  await expect.poll(() => [answers, running], patience).toEqual([[503, 503, 503], 2])
  expect((await send(idle, 'vapi', '{}')).status).toBe(200)
  open()
  const all = await Promise.all(sent)
  const refused = all.filter(({ status }) => status === 503)
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['2', '2', '2'])
  expect(all.filter(({ status }) => status === 200)).toHaveLength(130)
  expect([most, read]).toEqual([2, 130])
  expect(await metricOf(app, 'crosswalk_call_callbacks_total')).toMatchObject({
    '{provider="vapi",result="busy"}': 3,
  })
})

test('a form with more parameters than Twilio sends is refused before they are sorted', async () => {
  const org = await orgAt('twilio', { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'b'.repeat(32) })
  const raw = Array.from({ length: 4_000 }, (_, index) => index.toString(36)).join('&')
  expect((await send(org, 'twilio', raw)).status).toBe(403)
})

test('a body that is larger than the callbacks of its provider is refused unread, whatever its signature is', async () => {
  const twilio = { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'b'.repeat(32) }
  const [large, tooLarge] = ['x'.repeat(17 * 1024), 'x'.repeat(257 * 1024)]
  const statuses = async (org: TestOrg, provider: string) => [
    (await send(org, provider, large)).status,
    (await send(org, provider, tooLarge)).status,
  ]
  expect(await statuses(await orgAt('twilio', twilio), 'twilio')).toEqual([413, 413])
  expect(await statuses(await app.newOrg(), 'simulator')).toEqual([413, 413])
  expect(await statuses(await orgAt('vapi', vapi), 'vapi')).toEqual([403, 413])
  const withoutLength = new ReadableStream({
    start(stream) {
      stream.enqueue(new TextEncoder().encode(large))
      stream.close()
    },
  })
  const answer = await fetch(app.app.address + pathOf(await app.newOrg(), 'simulator'), {
    method: 'POST',
    body: withoutLength,
    duplex: 'half',
  } as RequestInit)
  expect(answer.status).toBe(413)
})

test.each([
  ['livekit', livekit, 'Authorization: Bearer a.b.c'],
  ['vapi', vapi, 'X-Callback-Token: x'],
])(
  'a large callback of %s with forged headers is refused before its body arrives',
  async (provider, credentials, header) => {
    const org = await orgAt(provider, credentials)
    const sizes = { large: headOf(pathOf(org, provider), 200 * 1024, [header]) }
    const chunked = { unknown: sizes.large.replace(/Content-Length: .*/, 'Transfer-Encoding: chunked') }
    for (const head of Object.values({ ...sizes, ...chunked })) {
      const connection = new RawConnection(app.app.address!).send(head)
      expect(await connection.until(/callback_forged/)).toMatch(/^HTTP.1.1 403 /)
      connection.socket.destroy()
    }
  },
)

test('after too many forged callbacks about an organization, their address gets 429 before the next one is read, and its callbacks about others are read', async () => {
  const [flooded, other] = [await orgAt('vapi', vapi), await orgAt('vapi', vapi)]
  let read = 0
  const parseCallback = async ({ orgId }: CallbackRequest) => {
    read++
    if (orgId === flooded.orgId) throw new BadSignature('forged')
    return null
  }
  providerMakers.vapi = () => ({ parseCallback }) as unknown as Provider
  const forge = (from: string) => send(flooded, 'vapi', '{}', { 'x-forwarded-for': from })
  while ((await forge('10.7.0.1')).status !== 429);
  read = 0
  const refused = await forge('10.7.0.1')
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0, read]).toEqual([429, true, 0])
  expect((await send(other, 'vapi', '{}', { 'x-forwarded-for': '10.7.0.1' })).status).toBe(200)
  expect((await forge('10.7.0.2')).status).toBe(403)
  expect(read).toBe(2)
})
