import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { newToken } from '../../src/auth/token.ts'
import { linkOrgs, setCeilings } from '../../src/orgs/operator.ts'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'
import { newAddress } from '../support/new-address.ts'
import { patience } from '../support/patience.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp({ trustProxy: true })
const direct = await startTestApp({}, { databaseUrl: app.databaseUrl })
afterAll(async () => {
  await direct.close()
  await app.close()
})

const names = [
  'x-ratelimit-limit-second',
  'x-ratelimit-limit-minute',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
]
const limitsOf = ({ headers }: Answer) => Object.fromEntries(names.map((name) => [name, headers.get(name)]))
const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))
const nowSeconds = () => Date.now() / 1000

/** Returns all rate limit headers of an answer, and checks that they agree. */
function expectLimits(answer: Answer, { second = 50, minute = 1000, refused = false } = {}): void {
  const limits = limitsOf(answer)
  expect(limits).toEqual({
    'x-ratelimit-limit-second': `${second}`,
    'x-ratelimit-limit-minute': `${minute}`,
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
    'ratelimit-policy': `"burst";q=${second};w=1, "sustained";q=${minute};w=60`,
    ratelimit: expect.stringMatching(/^"sustained";r=\d+;t=\d+$/),
  })
  const [, r, t] = /r=(\d+);t=(\d+)/.exec(limits.ratelimit!)!
  expect(Number(r)).toBe(remaining(answer))
  expect(Number(t)).toBeGreaterThanOrEqual(1)
  expect(Number(t)).toBeLessThanOrEqual(60)
  expect(Math.abs(Number(limits['x-ratelimit-reset']) - nowSeconds() - Number(t))).toBeLessThan(5)
  const retryAfter = answer.headers.get('retry-after')
  if (!refused) {
    expect(retryAfter).toBe(null)
    return
  }
  expect(retryAfter).toMatch(/^\d+$/)
  expect(Number(retryAfter)).toBeGreaterThanOrEqual(1)
  expect(answer.status).toBe(429)
  expect(answer.body).toEqual({ detail: expect.stringContaining('slow down'), code: 'rate_limit_exceeded' })
}

/**
 * Returns the answers to `count` requests that all arrived within one second, after several tries on a busy machine.
 */
async function within1s(count: number, start: () => Promise<() => Promise<Answer>>): Promise<Answer[]> {
  for (let tries = 0; tries < 10; tries++) {
    const send = await start()
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: count }, send))
    if (performance.now() - startedAt < 1_000) return answers
  }
  throw new Error(`This machine cannot send ${count} requests a second`)
}

describe('limits of an org', () => {
  test.each<[number, string, (org: TestOrg) => Promise<Answer>]>([
    [200, 'a read', (org) => org.get('/contacts')],
    [201, 'a write', (org) => org.post('/contacts', { email: 'ada@example.com' })],
    [
      204,
      'an empty answer',
      async (org) => org.delete(`/api-keys/${(await app.newKey(org.orgId)).apiKeyId}`),
    ],
    [400, 'a refused act', (org) => org.post('/api-keys', { name: 'A', is_agency: true })],
    [403, 'another org', (org) => org.get('/contacts', { headers: { 'x-org-id': randomUUID() } })],
    [404, 'an unknown address', (org) => org.get('/nothing-here')],
    [404, 'an unknown record', (org) => org.get(`/contacts/${randomUUID()}`)],
    [405, 'a wrong method', (org) => org.send('PUT', '/contacts')],
    [422, 'a bad query', (org) => org.get('/contacts?limit=0')],
    [422, 'a bad body', (org) => org.post('/contacts', { email: 5 })],
  ])('an org gets its rate limit headers with a %d for %s', async (status, _what, send) => {
    const org = await app.newOrg({ limited: true })
    const before = remaining(await org.get('/organization'))
    const answer = await send(org)
    expect(answer.status).toBe(status)
    expectLimits(answer)
    expect(before).toBe(999)
    expect(remaining(answer)).toBe(998)
  })

  test('an org may send 50 requests in a second, and the 51st gets 429', async () => {
    const answers = await within1s(51, async () => {
      const org = await app.newOrg({ limited: true })
      return () => org.get('/organization')
    })
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(refused).toHaveLength(1)
    expectLimits(refused[0]!, { refused: true })
    expect(refused[0]!.headers.get('retry-after')).toBe('1')
    expect(answers.map(remaining).sort((a, b) => a - b)).toEqual([
      950,
      ...Array.from({ length: 50 }, (_, i) => 950 + i),
    ])
  })

  test('an org above its limit is answered again after the time in Retry-After, and not before', async () => {
    const org = await app.newOrg()
    await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: 1 }))
    await expect.poll(async () => (await org.get('/organization')).status, patience).toBe(429)
    const accepted: { sentAt: number; heardAt: number }[] = []
    const ask = async () => {
      const sentAt = performance.now()
      const { status } = await org.get('/organization')
      if (status === 200) accepted.push({ sentAt, heardAt: performance.now() })
      return status
    }
    for (let i = 0; i < 2; i++) await expect.poll(ask, { ...patience, interval: 50 }).toBe(200)
    expect(accepted[1]!.heardAt - accepted[0]!.sentAt).toBeGreaterThan(999)
  })

  test('an org gets 429 before any other error, and refused requests do not count', async () => {
    const org = await app.newOrg({ limited: true })
    await app.operate((tx) => setCeilings(tx, org.orgId, { perMinute: 2 }))
    expect((await org.get('/nothing-here')).status).toBe(404)
    expect((await org.get('/contacts')).status).toBe(200)
    for (const answer of [
      await org.get('/organization'),
      await org.get('/nothing-here'),
      await org.send('PUT', '/contacts'),
      await org.post('/contacts', { email: 5 }),
      await org.get('/contacts', { headers: { 'x-org-id': randomUUID() } }),
    ]) {
      expectLimits(answer, { minute: 2, refused: true })
      expect(remaining(answer)).toBe(0)
    }
  })

  test('all API keys of an org share one rate limit, which other orgs do not share', async () => {
    const [org, other] = [await app.newOrg({ limited: true }), await app.newOrg({ limited: true })]
    const second = await app.newKey(org.orgId, { mode: 'test' })
    expect(remaining(await org.get('/organization'))).toBe(999)
    expect(remaining(await second.get('/organization'))).toBe(998)
    expect(remaining(await other.get('/organization'))).toBe(999)
  })

  test('an agency uses its own rate limit, even when it acts on a client', async () => {
    const agency = await app.newOrg({ limited: true, isAgency: true, key: { isAgency: true } })
    const client = await app.newOrg({ limited: true })
    await app.operate(async (tx) => {
      await linkOrgs(tx, agency.orgId, client.orgId)
      await setCeilings(tx, agency.orgId, { perMinute: 3 })
    })
    const acting = () => agency.get('/contacts', { headers: { 'x-target-org-id': client.orgId } })
    expect((await acting()).status).toBe(200)
    expect((await agency.get('/contacts')).status).toBe(200)
    expectLimits(await acting(), { minute: 3 })
    expectLimits(await acting(), { minute: 3, refused: true })
    expect(remaining(await client.get('/contacts'))).toBe(999)
  })

  test.each([
    [{ perSecond: 7 }, '7', '1000', '"burst";q=7;w=1, "sustained";q=1000;w=60'],
    [{ perMinute: 70_000 }, '50', '70000', '"burst";q=50;w=1, "sustained";q=70000;w=60'],
    [{ perSecond: null }, null, '1000', '"sustained";q=1000;w=60'],
    [{ perMinute: null }, '50', null, '"burst";q=50;w=1'],
    [{ perSecond: null, perMinute: null }, null, null, null],
  ])('new rate ceilings %j apply to an org within 2 s', async (ceilings, second, minute, policy) => {
    const org = await app.newOrg({ limited: true })
    expectLimits(await org.get('/organization'))
    await app.operate((tx) => setCeilings(tx, org.orgId, ceilings))
    const policyNow = async () => (await org.get('/organization')).headers.get('ratelimit-policy')
    await expectWithin(2_000, policyNow, policy)
    const limits = limitsOf(await org.get('/organization'))
    expect(limits['x-ratelimit-limit-second']).toBe(second)
    expect(limits['x-ratelimit-limit-minute']).toBe(minute)
    expect(limits['x-ratelimit-remaining'] === null).toBe(minute === null)
  })
})

describe('limits of an address', () => {
  const orgToken = app.app.context.orgTokens.make(randomUUID())
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const strange = { second: 20, minute: 300 }

  async function spentAddress(): Promise<string> {
    let address = ''
    await within1s(21, async () => {
      address = newAddress()
      return () => app.stranger.get('/contacts', from(address))
    })
    return address
  }

  test('requests without a valid key from one address are limited to 20 a second, with the same rate limit headers', async () => {
    let address = ''
    const answers = await within1s(21, async () => {
      address = newAddress()
      return () => app.stranger.get('/contacts', from(address))
    })
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
    for (const answer of answers) expectLimits(answer, { ...strange, refused: answer.status === 429 })
    expect(refused).toHaveLength(1)
    expect(answers.map(remaining).sort()[0]).toBe(280)
  })

  test.each([
    ['a malformed header', 'Basic abc'],
    ['a mistyped key', `${newToken('live').token.slice(0, -1)}-`],
    ['an unknown key', newToken('live').token],
    ['a JWT', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
  ])('a request without a valid key counts if it has %s', async (_what, sent) => {
    const address = newAddress()
    const authorization = sent.includes(' ') ? sent : `Bearer ${sent}`
    const { headers } = from(address)
    const before = remaining(await app.stranger.get('/contacts', { headers }))
    const answer = await app.stranger.get('/contacts', { headers: { ...headers, authorization } })
    expect(answer.status).toBe(401)
    expect([before, remaining(answer)]).toEqual([299, 298])
  })

  test('requests without a valid key do not use up the rate limit of other addresses', async () => {
    await spentAddress()
    expect((await app.stranger.get('/contacts', from(newAddress()))).status).toBe(401)
  })

  test('requests without a valid key do not use up the rate limit of valid keys from the same address', async () => {
    const org = await app.newOrg({ limited: true })
    const fresh = await app.newOrg({ limited: true })
    expect((await org.get('/contacts')).status).toBe(200)
    const options = from(await spentAddress())
    for (const key of [org, fresh, fresh, org]) {
      const answer = await key.get('/contacts', options)
      expect(answer.status).toBe(200)
      expectLimits(answer)
    }
    const together = await Promise.all(
      Array.from({ length: 8 }, () => app.client(fresh.token).get('/contacts', options)),
    )
    expect(together.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })

  test('without a valid key, a request counts for the address in X-Forwarded-For only behind a trusted proxy', async () => {
    const answers = await within1s(21, async () => () => direct.stranger.get('/contacts', from(newAddress())))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(1)
  })

  test.each([
    ['an install page of an unknown org', '/install-signature/x/0190a3c4-0000-7000-8000-000000000001'],
    ['an install page that does not exist', `/install-signature/${orgToken}/${randomUUID()}`],
    ['a draft that does not exist', `/install-signature/${orgToken}/${randomUUID()}/signature.eml`],
    ['a callback to an unknown org', '/hooks/voice/twilio/x'],
    ['a callback of an unknown provider', `/hooks/voice/x/${orgToken}`],
    ['a callback without a signature', `/hooks/voice/simulator/${orgToken}`],
  ])('requests without a valid key are limited to 20 a second at %s', async (_what, path) => {
    const method = path.startsWith('/hooks') ? 'POST' : 'GET'
    const answers = await within1s(25, async () => {
      const options = { ...from(newAddress()), prefix: '' }
      return () => app.stranger.send(method, path, options)
    })
    const passed = answers.filter(({ status }) => status === 404 || status === 403)
    expect(passed).toHaveLength(20)
    for (const answer of answers) expectLimits(answer, { ...strange, refused: !passed.includes(answer) })
  })

  test('requests without a valid key do not use up the rate limit of signed callbacks from the same address', async () => {
    const { orgId } = await app.newOrg()
    const { orgTokens } = app.app.context
    const call = { call_id: randomUUID(), provider_call_id: 'x', state: 'ringing', duration_seconds: null }
    const raw = JSON.stringify(call)
    const signature = orgTokens.sign(orgId, Buffer.from(raw)).toString('base64url')
    const { headers } = from(await spentAddress())
    const answer = await app.stranger.send('POST', `/hooks/voice/simulator/${orgTokens.make(orgId)}`, {
      ...{ raw, prefix: '', headers: { ...headers, 'x-simulator-signature': signature } },
    })
    expect(answer.status).toBe(200)
  })

  test('requests without a valid key to public routes are never limited', async () => {
    const answers = await within1s(30, async () => () => direct.stranger.get('/healthz', { prefix: '' }))
    for (const { status, headers } of answers) {
      expect(status).toBe(200)
      expect(headers.get('x-ratelimit-limit-second')).toBe(null)
    }
  })
})
