import { afterAll, afterEach, expect, test } from 'vitest'
import type { CallbackRequest, Provider } from '../../src/voice/providers/provider.ts'
import { providerMakers } from '../../src/voice/providers/providers.ts'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'
import { metricOf } from '../support/metrics.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp({ publicUrl: 'https://crosswalk.example' })
const real = providerMakers.vapi
afterEach(() => {
  providerMakers.vapi = real
})
afterAll(() => app.close())

async function orgAt(provider: string, credentials: object): Promise<TestOrg> {
  const org = await app.newOrg()
  expect((await org.patch('/voice/settings', { provider, credentials })).status).toBe(200)
  return org
}

const send = (org: TestOrg, provider: string, raw: string): Promise<Answer> => {
  const path = `/hooks/voice/${provider}/${app.app.context.orgTokens.make(org.orgId)}`
  return app.stranger.post(path, undefined, { prefix: '', raw })
}

test('only an organization with 2 running and 128 waiting callbacks gets 503 with Retry-After', async () => {
  const credentials = { api_key: 'vapi-key-0001', assistant_id: 'a', phone_number_id: 'p' }
  const [flooded, idle] = [await orgAt('vapi', credentials), await orgAt('vapi', credentials)]
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
  const vapi = { api_key: 'vapi-key-0001', assistant_id: 'a', phone_number_id: 'p' }
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
  const path = `/hooks/voice/simulator/${app.app.context.orgTokens.make((await app.newOrg()).orgId)}`
  const answer = await fetch(app.app.address + path, {
    method: 'POST',
    body: withoutLength,
    duplex: 'half',
  } as RequestInit)
  expect(answer.status).toBe(413)
})
