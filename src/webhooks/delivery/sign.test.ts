import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/support/runs.ts'
import { secretBytes, signatureOf } from './sign.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

describe('a signature', () => {
  test('the verifiers of Standard Webhooks and Svix accept the signatures of any body, even during a rotation', () => {
    const [current, old] = [newSecret(), newSecret()]
    const verifiers = [current, old].map((secret) => [new Webhook(secret), new Svix(secret)])
    const timestamp = Math.floor(Date.now() / 1000)
    const count = runs(500, 10_000)
    let bodies = 0
    const body = fc.json({ stringUnit: 'grapheme' })
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), body, (id, text) => {
        const both = signatureOf([secretBytes(current), secretBytes(old)], { id, timestamp, body: text })
        // Both packages check each body; every second body is checked with the old secret.
        for (const verifier of verifiers[bodies % 2]!) verifier.verify(text, headersOf(id, timestamp, both))
        bodies += 1
      }),
      { numRuns: count },
    )
    expect(bodies).toBe(count)
  })

  test('a signature is refused with another secret, another id, another body or 400 s later', () => {
    const [secret, id, body] = [newSecret(), '01a1', '{"a":1}']
    const now = Math.floor(Date.now() / 1000)
    const signed = (timestamp: number) =>
      headersOf(id, timestamp, signatureOf([secretBytes(secret)], { id, timestamp, body }))
    const webhook = new Webhook(secret)
    expect(() => webhook.verify(body, signed(now))).not.toThrow()
    expect(() => new Webhook(newSecret()).verify(body, signed(now))).toThrow()
    expect(() => webhook.verify(body, { ...signed(now), 'webhook-id': '01a2' })).toThrow()
    expect(() => webhook.verify('{"a":2}', signed(now))).toThrow()
    expect(() => webhook.verify(body, signed(now - 400))).toThrow()
  })
})

test('a secret of another form is refused, and the error does not show it', () => {
  for (const secret of ['', 'whsec_', 'sesame', 'whsek_c2VzYW1l']) {
    expect(() => secretBytes(secret)).toThrow('not a secret of an endpoint')
  }
})

const headersOf = (id: string, timestamp: number, signature: string) => ({
  ...{ 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
})
