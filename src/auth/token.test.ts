import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText as anyCharacters } from '../../test/support/any-text.ts'
import {
  hashToken,
  hint,
  looksLikeJwt,
  newLegacyToken,
  newToken,
  readAuthorization,
  readToken,
} from './token.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// Checksums of another implementation (Python's zlib).
const body = 'abcdefghijklmnopqrstuvwxyz01232LolCm'
const otherBodies = ['0000000000000000000000000000002C8GjS', '123456789ZZZZZZZZZZZZZZZZZZZZZ1qoneh']

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
const jwt = `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url('{"sub":"1"}')}.c2lnbmF0dXJl`

const anyMode = fc.constantFrom('live', 'test')
const anyText = fc.oneof(fc.string(), anyCharacters({ maxLength: 400 }), fc.string({ unit: 'grapheme' }))

describe('new tokens', () => {
  test('new tokens contain their mode and a body of 36 base62 characters with a checksum, and have a hint', () => {
    for (const mode of ['live', 'test'] as const) {
      const made = newToken(mode)
      expect(made.token).toBe(`svc_${mode}_${made.body}`)
      expect(made.body).toMatch(/^[0-9A-Za-z]{36}$/)
      expect(made.hint).toBe(made.body.slice(32))
      expect(readToken(made.token)).toStrictEqual({ body: made.body, wellFormed: true })
    }
  })

  test('new tokens in the legacy format are 40 base62 characters without a prefix', () => {
    const made = newLegacyToken()
    expect(made.token).toMatch(/^[0-9A-Za-z]{40}$/)
    expect(made).toStrictEqual({ token: made.token, body: made.token, hint: made.token.slice(36) })
    expect(readToken(made.token)).toStrictEqual({ body: made.token, wellFormed: true })
  })

  test('new tokens use each of the 62 characters equally often', () => {
    const counts = new Map<string, number>()
    for (let n = 0; n < 2_000; n++) {
      for (const character of newLegacyToken().body) counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    const expected = (2_000 * 40) / 62
    const chiSquared = [...base62].reduce(
      (sum, c) => sum + ((counts.get(c) ?? 0) - expected) ** 2 / expected,
      0,
    )
    // With 61 degrees of freedom, a fair generator exceeds 140 once in ten million runs. Taking bytes modulo 62 gives
    // about 700.
    expect(chiSquared).toBeLessThan(140)
  })
})

describe('reading a token', () => {
  const table: [raw: string, body: string, wellFormed: boolean][] = [
    [body, body, true],
    [`svc_live_${body}`, body, true],
    [`svc_test_${body}`, body, true],
    [otherBodies[0]!, otherBodies[0]!, true],
    [otherBodies[1]!, otherBodies[1]!, true],
    [`svc_live_${body.slice(0, 35)}n`, `${body.slice(0, 35)}n`, false],
    // Prefixes are case-sensitive, and only one is removed.
    [`SVC_LIVE_${body}`, `SVC_LIVE_${body}`, true],
    [`svc_live_svc_test_${body}`, `svc_test_${body}`, true],
    ['svc_prod_x', 'svc_prod_x', true],
    // Any other form is the body of a legacy token.
    [body.slice(1), body.slice(1), true],
    [`${body}0`, `${body}0`, true],
    [`${body.slice(1)}-`, `${body.slice(1)}-`, true],
    ['!', '!', true],
    ['~'.repeat(256), '~'.repeat(256), true],
    [`svc_test_${'~'.repeat(256)}`, '~'.repeat(256), true],
    // Malformed bodies, which no key has.
    ['~'.repeat(257), '~'.repeat(257), false],
    ['', '', false],
    ['svc_live_', '', false],
    ['a b', 'a b', false],
    ['a\n', 'a\n', false],
    ['a\u007f', 'a\u007f', false],
    ['clé', 'clé', false],
    ['\ud800', '\ud800', false],
  ]

  test.each(table)('%j gives %j', (raw, expectedBody, wellFormed) => {
    expect(readToken(raw)).toStrictEqual({ body: expectedBody, wellFormed })
  })

  test('a token with another prefix has the same body', () => {
    fc.assert(
      fc.property(anyMode, fc.constantFrom('', 'svc_live_', 'svc_test_'), (mode, prefix) => {
        const made = newToken(mode)
        expect(readToken(prefix + made.body)).toStrictEqual({ body: made.body, wellFormed: true })
      }),
    )
  })

  test('one mistyped character in a token is detected', () => {
    fc.assert(
      fc.property(anyMode, fc.nat(35), fc.constantFrom(...base62), (mode, position, typed) => {
        const { body } = newToken(mode)
        const mistyped = body.slice(0, position) + typed + body.slice(position + 1)
        expect(readToken(`svc_${mode}_${mistyped}`).wellFormed).toBe(mistyped === body)
      }),
      { numRuns: 2_000 },
    )
  })

  test('two swapped neighboring characters in a token are detected', () => {
    fc.assert(
      fc.property(fc.nat(34), (position) => {
        const { body } = newToken('live')
        const swapped =
          body.slice(0, position) + body[position + 1] + body[position] + body.slice(position + 2)
        expect(readToken(swapped).wellFormed).toBe(swapped === body)
      }),
      { numRuns: 2_000 },
    )
  })
})

test('the hash of a token is the SHA-256 of its body, as a text with one character for each byte', () => {
  const bytes = createHash('sha256').update(body).digest()
  expect(Buffer.from(hashToken(body), 'latin1')).toStrictEqual(bytes)
})

test('the hint of a token is its last 4 characters', () => {
  expect(hint(body)).toBe('olCm')
})

describe('looksLikeJwt', () => {
  const table: [what: string, raw: string, answer: boolean][] = [
    ['a signed JWT', jwt, true],
    ['an unsecured JWT', `${base64url('{"alg":"none"}')}.${base64url('{}')}.`, true],
    ['spaces in the header', `${base64url(' { "typ": "JWT", "alg": "RS256" }')}.e30.eA`, true],
    ['a header without alg', `${base64url('{"typ":"JWT"}')}.e30.eA`, false],
    ['an inherited name is not alg', `${base64url('{"__proto__":{"alg":"x"}}')}.e30.eA`, false],
    ['an array', `${base64url('["alg"]')}.e30.eA`, false],
    ['a string', `${base64url('"alg"')}.e30.eA`, false],
    ['null', `${base64url('null')}.e30.eA`, false],
    ['not JSON', `${base64url('{alg:1}')}.e30.eA`, false],
    ['two parts', jwt.slice(0, jwt.lastIndexOf('.')), false],
    ['four parts', `${jwt}.eA`, false],
    ['no header', '.e30.eA', false],
    ['padding', `${jwt}=`, false],
    ['other characters', `${jwt}+/`, false],
    ['too long', `${jwt}${'A'.repeat(16_384)}`, false],
    ['a token of Crosswalk', `svc_live_${body}`, false],
  ]

  test.each(table)('looksLikeJwt recognizes a JWT: %s', (_what, raw, answer) => {
    expect(looksLikeJwt(raw)).toBe(answer)
  })
})

describe('reading the Authorization header', () => {
  const found = { kind: 'token', body, wellFormed: true }
  const invalid = { kind: 'authorization_malformed' }
  const table: [header: string | undefined, answer: object][] = [
    [undefined, { kind: 'api_key_missing' }],
    [`Bearer svc_live_${body}`, found],
    [`Bearer svc_test_${body}`, found],
    [`Bearer ${body}`, found],
    [`bearer ${body}`, found],
    [`BEARER ${body}`, found],
    [`  Bearer   ${body}  `, found],
    [`Bearer ${body.slice(0, 35)}n`, { kind: 'token', body: `${body.slice(0, 35)}n`, wellFormed: false }],
    ['Bearer svc_live_', { kind: 'token', body: '', wellFormed: false }],
    ['Bearer clé', { kind: 'token', body: 'clé', wellFormed: false }],
    [`Bearer ${jwt}`, { kind: 'jwt_not_accepted' }],
    ['', invalid],
    ['Bearer', invalid],
    ['Bearer ', invalid],
    [`Bearer${body}`, invalid],
    [`Bearer\t${body}`, invalid],
    [`Bearer ${body} ${body}`, invalid],
    [`Basic ${body}`, invalid],
    [`Token ${body}`, invalid],
    [body, invalid],
    [jwt, invalid],
  ]

  test.each(table)('%j gives %j', (header, answer) => {
    expect(readAuthorization(header)).toStrictEqual(answer)
  })

  test('the Authorization header and readToken read the same token from any text without spaces', () => {
    fc.assert(
      fc.property(
        anyText.filter((text) => text !== '' && !text.includes(' ')),
        (text) => {
          const answer = looksLikeJwt(text)
            ? { kind: 'jwt_not_accepted' }
            : { kind: 'token', ...readToken(text) }
          expect(readAuthorization(`Bearer ${text}`)).toStrictEqual(answer)
        },
      ),
    )
  })

  test('reading the Authorization header never throws', () => {
    const anyJwtLike = fc.tuple(anyText, anyText, anyText).map((parts) => parts.map(base64url).join('.'))
    fc.assert(
      fc.property(fc.oneof(anyText, anyJwtLike), (text) => {
        readAuthorization(text)
        readAuthorization(`Bearer ${text}`)
        readToken(text)
        readToken(`svc_live_${text}`)
        looksLikeJwt(text)
        hint(text)
        expect(hashToken(text)).toHaveLength(32)
      }),
      { numRuns: 1_000 },
    )
  })
})
