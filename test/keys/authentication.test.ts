import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { newToken } from '../../src/auth/token.ts'
import { sharedTestApp } from '../support/app.ts'
import { exchange, rawRequest } from '../support/raw-http.ts'
import { expectWithin } from '../support/within.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

let addresses = 0

/** Sends a request from a new client address, so that the rate limit of addresses does not apply. */
function ask(authorization: string | null, method = 'GET', path = '/organization') {
  addresses++
  return app.stranger.send(method, path, {
    headers: {
      'x-forwarded-for': `10.0.${addresses >> 8}.${addresses & 255}`,
      ...(authorization === null ? {} : { authorization }),
    },
  })
}

const bodyOf = (token: string | null) => token!.replace(/^svc_(live|test)_/, '')
const base64url = (text: string) => Buffer.from(text).toString('base64url')
const howTo = 'use Authorization: Bearer <api_key>'

describe('header forms', () => {
  test.each(['Authorization', 'AUTHORIZATION'])(
    'two Authorization headers are refused, in both orders: %s',
    async (name) => {
      const { token } = await app.newOrg()
      for (const [first, second] of [
        [token, token],
        [token, 'x'],
        ['x', token],
      ]) {
        const request = rawRequest(first!, 'GET', '/organization', [`${name}: Bearer ${second}`])
        const { text } = await exchange(app.address, request)
        expect(text).toMatch(
          /^HTTP\/1\.1 401 .*The request has several Authorization headers.*send the header once/s,
        )
      }
    },
  )

  test.each([
    ['is missing', null, 'api_key_missing'],
    ['is empty', '', 'authorization_malformed'],
    ['has no scheme', 'svc_live_abc', 'authorization_malformed'],
    ['has another scheme', 'Basic dXNlcjpwYXNz', 'authorization_malformed'],
    ['has no key', 'Bearer', 'authorization_malformed'],
    ['has two keys', 'Bearer svc_live_abc svc_live_def', 'authorization_malformed'],
    ['has a key that no installation issued', `Bearer ${newToken('live').token}`, 'api_key_unknown'],
    ['has an unknown key in the legacy format', 'Bearer wrong', 'api_key_unknown'],
    ['has only a prefix', 'Bearer svc_live_', 'api_key_mistyped'],
    ['has a key of 300 characters', `Bearer ${'k'.repeat(300)}`, 'api_key_mistyped'],
  ])(
    'an Authorization header that %s is refused with a text that says how to send an API key',
    async (_what, authorization, code) => {
      const answer = await ask(authorization)
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual({ detail: expect.stringContaining(howTo), code })
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    },
  )

  test.each([
    ['a write key', `wk_live_${'a'.repeat(28)}`, 'This is a write key'],
    ['the access token of an app', 'a'.repeat(43), 'Access tokens of connected apps work only at /mcp'],
  ])('the answer to %s names the kind of token', async (_what, token, text) => {
    expect((await ask(`Bearer ${token}`)).body).toEqual({
      detail: expect.stringMatching(new RegExp(`${text}.*${howTo}`)),
      code: 'api_key_unknown',
    })
  })

  test.each(['Bearer', 'bearer', 'BEARER', 'Bearer   '])(
    'the Authorization header accepts the scheme as %j',
    async (scheme) => {
      const org = await app.newOrg()
      expect((await ask(`${scheme} ${org.token}`)).status).toBe(200)
    },
  )

  test('an API key with any single mistyped character is refused', async () => {
    const { token } = await app.newOrg()
    for (const place of [9, 20, token!.length - 1]) {
      const other = token![place] === 'a' ? 'b' : 'a'
      const mistyped = token!.slice(0, place) + other + token!.slice(place + 1)
      expect(await ask(`Bearer ${mistyped}`)).toMatchObject({
        status: 401,
        body: { code: 'api_key_mistyped' },
      })
    }
  })

  test.each([
    ['without its last character', (token: string) => token.slice(0, -1)],
    ['without its first characters', (token: string) => token.slice(0, 9) + token.slice(15)],
    ['with another character at its end', (token: string) => `${token}x`],
  ])('an API key %s is refused with a text that says to copy the whole key', async (_what, damage) => {
    const { token } = await app.newOrg()
    expect(await ask(`Bearer ${damage(token!)}`)).toMatchObject({
      status: 401,
      body: { code: 'api_key_mistyped', detail: expect.stringContaining('with the whole key') },
    })
  })

  test.each([
    ['with a signature', '{"alg":"HS256","typ":"JWT"}', 'c2ln'],
    ['without one', '{"alg":"none"}', ''],
  ])('a JWT %s is refused with a text that says it is not an API key', async (_what, header, signature) => {
    const jwt = `${base64url(header)}.${base64url('{"sub":"1"}')}.${signature}`
    const answer = await ask(`Bearer ${jwt}`)
    expect(answer.status).toBe(401)
    expect(answer.body.detail).toMatch(/JWT/)
    expect(answer.body.code).toBe('jwt_not_accepted')
    expect(answer.body.detail).toContain(howTo)
    const mistyped = await ask('Bearer wrong')
    expect(answer.body.detail).not.toBe(mistyped.body.detail)
  })
})

describe('the prefix of a token does not decide the mode', () => {
  test.each([
    ['live', 'as issued', (token: string) => token],
    ['live', 'edited', (token: string) => `svc_test_${bodyOf(token)}`],
    ['live', 'stripped', bodyOf],
    ['test', 'as issued', (token: string) => token],
    ['test', 'edited', (token: string) => `svc_live_${bodyOf(token)}`],
    ['test', 'stripped', bodyOf],
  ] as const)('a %s key with its prefix %s keeps its mode', async (mode, _how, written) => {
    const { token } = await app.newOrg({ key: { mode } })
    expect(token).toMatch(new RegExp(`^svc_${mode}_`))
    const answer = await ask(`Bearer ${written(token!)}`)
    expect(answer.status).toBe(200)
    expect(answer.body.data.mode).toBe(mode)
  })

  test.each(['', 'svc_live_', 'svc_test_'])(
    'a legacy key sent with the prefix %j is live',
    async (prefix) => {
      const { token } = await app.newOrg({ key: { legacy: true } })
      expect(token).not.toContain('_')
      const answer = await ask(`Bearer ${prefix}${token}`)
      expect(answer.status).toBe(200)
      expect(answer.body.data.mode).toBe('live')
    },
  )

  test('only one prefix is removed from a token', async () => {
    const { token } = await app.newOrg()
    expect((await ask(`Bearer svc_live_${token}`)).status).toBe(401)
  })

  test('events have the mode of the key, not the mode in its prefix', async () => {
    const { token } = await app.newOrg({ key: { mode: 'test' } })
    const client = app.client(`svc_live_${bodyOf(token)}`)
    const created = await client.post('/contacts', { email: 'ada@example.com' })
    const events = await client.get(`/events?object_id=${created.body.data.contact_id}`)
    expect(events.body.data).toMatchObject([{ type: 'contact.created', mode: 'test' }])
  })
})

describe('invalid keys', () => {
  test('an API key is refused after its expiry', async () => {
    const org = await app.newOrg({ key: { expiresAt: new Date(Date.now() + 3_600_000) } })
    expect((await ask(`Bearer ${org.token}`)).status).toBe(200)
    await app.operate((tx) =>
      tx.run({
        text: `update api_key set expires_at = now() - interval '1 second' where api_key_id = $1`,
        values: [org.apiKeyId],
      }),
    )
    await expectWithin(2_000, async () => (await ask(`Bearer ${org.token}`)).status, 401)
    const answer = await ask(`Bearer ${org.token}`)
    expect(answer.body.detail).toContain(howTo)
    expect(answer.body.code).toBe('api_key_expired')
  })

  test('a cached key is refused after its expiry, without a notification', async () => {
    const org = await app.newOrg()
    // On a busy machine, the key may expire before the request is sent. Then try again with twice the time.
    for (let ms = 1_000; ; ms *= 2) {
      const expiresAt = Date.now() + ms
      const key = await app.newKey(org.orgId, { expiresAt: new Date(expiresAt) })
      const statusNow = async () => (await ask(`Bearer ${key.token}`)).status
      const status = await statusNow()
      if (Date.now() >= expiresAt) continue
      expect(status).toBe(200)
      await expectWithin(ms, statusNow, 401)
      expect(Date.now()).toBeGreaterThanOrEqual(expiresAt)
      return
    }
  })

  test('an API key of a deleted organization is refused with a separate code', async () => {
    const org = await app.newOrg()
    expect((await ask(`Bearer ${org.token}`)).status).toBe(200)
    await app.operate((tx) => tx.run({ text: 'delete from org where org_id = $1', values: [org.orgId] }))
    await expectWithin(2_000, async () => (await ask(`Bearer ${org.token}`)).status, 401)
    const answer = await ask(`Bearer ${org.token}`)
    expect(answer.body.detail).toContain('not associated with an organization')
    expect(answer.body.code).toBe('api_key_orphaned')
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  test('an API key works again after its organization is restored', async () => {
    const org = await app.newOrg()
    const remove = { text: 'delete from org where org_id = $1', values: [org.orgId] }
    await app.operate((tx) => tx.run(remove))
    expect((await ask(`Bearer ${org.token}`)).status).toBe(401)
    const putBack = { text: `insert into org (org_id, name) values ($1, 'Acme')`, values: [org.orgId] }
    await app.operate((tx) => tx.run(putBack))
    await expectWithin(2_000, async () => (await ask(`Bearer ${org.token}`)).status, 200)
  })
})

describe('refusals', () => {
  const routes = [
    ['GET', '/contacts'],
    ['GET', '/nothing-here'],
    ['GET', `/contacts/${randomUUID()}`],
    ['GET', '/contacts/not-a-uuid'],
    ['PUT', '/contacts'],
    ['POST', '/contacts'],
    ['DELETE', '/api-keys'],
    ['OPTIONS', '/contacts'],
    ['GET', '/contacts?limit=wrong'],
    ['GET', '/%zz'],
  ] as const

  test.each([null, `Bearer ${newToken('live').token}`])(
    'without a valid key, an answer reveals nothing about routes (%#)',
    async (sent) => {
      const answers = await Promise.all(routes.map(([method, path]) => ask(sent, method, path)))
      const shown = answers.map(({ status, text, headers }) => {
        const named = Object.fromEntries(headers)
        for (const changing of ['date', 'x-request-id', 'x-ratelimit-reset']) delete named[changing]
        return { status, text, named }
      })
      expect(shown[0]!.status).toBe(401)
      for (const answer of shown) expect(answer).toEqual(shown[0])
    },
  )

  test.each(['{"email":', '[]', '{"limit": 9}', ''])(
    'without a valid key, an answer reveals nothing about the body %j',
    async (raw) => {
      const answer = await app.stranger.send('POST', '/contacts', {
        raw,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.1.0.1' },
      })
      expect(answer.status).toBe(401)
      expect(answer.body.detail).toContain(howTo)
    },
  )
})
