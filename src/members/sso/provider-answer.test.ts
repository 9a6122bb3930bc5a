import { describe, expect, test } from 'vitest'
import { readProviderAnswer } from './provider-answer.ts'

const answer = (body: unknown, status = 200, type = 'application/json') => ({
  status,
  headers: { 'content-type': type, 'www-authenticate': 'Bearer', 'x-more': 'y' },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})
const read = (...of: Parameters<typeof answer>) => readProviderAnswer('org', answer(...of))
const jsonOf = async (...of: Parameters<typeof answer>) => (await read(...of)).json()

describe('the answer of an OpenID provider', () => {
  test('a provider’s answer keeps the members that a sign-in reads, and no others', async () => {
    const document = { issuer: 'https://login.example', id_token_signing_alg_values_supported: ['RS256'] }
    expect(await jsonOf({ ...document, claims_supported: ['sub'], mtls_endpoint_aliases: {} })).toEqual(
      document,
    )
    const key = { kty: 'RSA', kid: 'one', use: 'sig', alg: 'RS256', n: 'x'.repeat(2_731), e: 'AQAB' }
    expect(await jsonOf({ keys: [{ ...key, x5c: ['MII'] }] })).toEqual({ keys: [key] })
    const tokens = {
      access_token: 'a',
      id_token: `a.${'x'.repeat(60_000)}.c`,
      token_type: 'Bearer',
      expires_in: 300,
    }
    expect(await jsonOf(tokens)).toEqual(tokens)
    const claims = { sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada' }
    expect(await jsonOf({ ...claims, groups: [{ id: 1 }] })).toEqual(claims)
  })

  test('a provider’s answer has its status, and its content type as the only header', async () => {
    const { status, headers } = await read({ error: 'invalid_grant' }, 400)
    expect([status, [...headers.keys()]]).toEqual([400, ['content-type']])
    expect(await (await read('', 204)).text()).toBe('')
  })

  test('a signed answer is kept unchanged, unless it is larger than 64 KiB', async () => {
    expect(await (await read('a.b.c', 200, 'application/jwt')).text()).toBe('a.b.c')
    expect(await (await read('x'.repeat(100_000), 200, 'application/jwt')).text()).toBe('')
  })

  test('members of other types, and texts that are too long, are left out', async () => {
    const issuer = 'x'.repeat(2_001)
    const sent = { issuer, sub: {}, name: null, id_token: 'x'.repeat(70_000), email: ['a'], jwks_uri: [1] }
    expect(await jsonOf(sent)).toEqual({ email: ['a'] })
    expect(await jsonOf({ keys: ['a', null, { n: {} }] })).toEqual({ keys: [null, null, {}] })
    expect((await jsonOf({ keys: Array(3_000).fill(1) })).keys).toHaveLength(100)
  })

  test('an answer of more than a thousand objects and lists is empty', async () => {
    const { length } = await (await read(`{"issuer":"x","a":[${'[],'.repeat(6_000)}1]}`)).text()
    expect(length).toBe(0)
  })
})
