import { createHmac } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { userHashSecretOf, verifyUser } from './verify.ts'

const secret = 'idsec_a-secret-of-this-organization'
const bytes = (text: string) => new TextEncoder().encode(text)
const inHours = (hours: number) => Math.floor(Date.now() / 1000 + hours * 3_600)
const none = { token: null, userHash: null, userId: null }

const signed = (claims: object, { by = secret, alg = 'HS256' } = {}) =>
  new SignJWT({ sub: 'u7', exp: inHours(1), ...claims }).setProtectedHeader({ alg }).sign(bytes(by))

const check = (token: string, userId: string | null = null) =>
  verifyUser({ ...none, token, userId }, ['idsec_another', secret])

describe('a token', () => {
  test('of the organization confirms its user and its traits', async () => {
    expect(await check(await signed({ traits: { plan: 'pro' } }), 'u7')).toEqual({
      ...{ userKey: 'u7', by: 'token', traits: { plan: 'pro' } },
    })
    expect(await check(await signed({}))).toMatchObject({ userKey: 'u7', traits: null })
  })

  test.each<[string, () => Promise<string> | string]>([
    ['is expired', () => signed({ exp: inHours(-1) })],
    ['is valid for more than 24 hours', () => signed({ exp: inHours(30) })],
    ['does not expire', () => signed({ exp: undefined })],
    ['has no user', () => signed({ sub: undefined })],
    ['is not valid yet', () => signed({ nbf: inHours(1) })],
    ['was signed by somebody else', () => signed({}, { by: 'idsec_a-secret-of-another-organization' })],
    ['has another algorithm', () => signed({}, { alg: 'HS512' })],
    ['has no signature', () => new UnsecuredJWT({ sub: 'u7' }).setExpirationTime('1h').encode()],
    ['lost its signature', async () => (await signed({})).replace(/[^.]*$/, '')],
    [
      'was changed',
      async () =>
        (await signed({})).replace(
          /\.[^.]*\./,
          `.${Buffer.from(JSON.stringify({ sub: 'u8', exp: inHours(1) })).toString('base64url')}.`,
        ),
    ],
    ['is no token', () => 'a.b.c'],
    ['is very long', () => 'a'.repeat(100_000)],
  ])('that %s confirms nobody', async (_what, make) => {
    expect(await check(await make())).toBe(null)
  })

  test('of one user does not confirm another one', async () => {
    expect(await check(await signed({}), 'u8')).toBe(null)
  })
})

describe('a hash', () => {
  const hash = (userId: string, by = userHashSecretOf(secret)) =>
    createHmac('sha256', by).update(userId).digest('hex')
  const checkHash = (userHash: string, userId: string | null = 'u7') =>
    verifyUser({ ...none, userHash, userId }, [secret])

  test('of the user id confirms the user, and no traits', async () => {
    const user = { userKey: 'u7', by: 'user_hash', traits: null }
    expect(await checkHash(hash('u7'))).toEqual(user)
    expect(await checkHash(hash('u7').toUpperCase())).toEqual(user)
  })

  test('of another user, with another secret or without a user id confirms nobody', async () => {
    for (const [userHash, userId] of [
      [hash('u8'), 'u7'],
      [hash('u7', userHashSecretOf('idsec_another')), 'u7'],
      // The secret of the tokens signs no hash.
      [hash('u7', secret), 'u7'],
      [hash('u7'), null],
      ['abc', 'u7'],
    ] as const)
      expect(await checkHash(userHash, userId)).toBe(null)
    expect(await verifyUser({ ...none, userHash: hash('u7'), userId: 'u7' }, [])).toBe(null)
  })

  test('of a user id that looks like the content of a token is no signature of this token', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const chosenId = `${part({ alg: 'HS256' })}.${part({ sub: 'u8', exp: inHours(1), traits: { plan: 'pro' } })}`
    const signature = Buffer.from(hash(chosenId), 'hex').toString('base64url')
    expect(await check(`${chosenId}.${signature}`)).toBe(null)
  })
})
