import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signWebhook, verifyWebhook, WebhookVerificationError } from '../../sdk/src/webhooks.ts'

// The example from https://github.com/standard-webhooks/standard-webhooks.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = '{"test": 2432232314}'
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const timestamp = 1614265330
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const now = timestamp * 1000
const headers = {
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
}

describe('a webhook', () => {
  test('the example of the specification is accepted, and signing it gives the same signature', async () => {
    expect(await verifyWebhook(body, headers, secret, { now })).toEqual({ test: 2432232314 })
    expect(await signWebhook(body, secret, { id, timestamp })).toEqual(headers)
  })

  test.each<[string, object | Headers, string | string[]]>([
    ['Headers', new Headers(headers), secret],
    [
      'capital letters in names',
      { 'Webhook-Id': id, 'Webhook-Timestamp': `${timestamp}`, 'Webhook-Signature': signature },
      secret,
    ],
    ['an additional older signature', { ...headers, 'webhook-signature': `v1,AAAA ${signature}` }, secret],
    [
      'an additional signature of another version',
      { ...headers, 'webhook-signature': `v1a,x ${signature}` },
      secret,
    ],
    ['several secrets', headers, [other, secret]],
  ])('a webhook is accepted with %s', async (_title, given, secrets) => {
    expect(await verifyWebhook(body, given as Headers, secrets, { now })).toEqual({ test: 2432232314 })
  })

  test.each<[string, string, object, string, number]>([
    ['another body', '{"test": 1}', {}, secret, 0],
    ['another id', body, { 'webhook-id': 'msg_other' }, secret, 0],
    ['another time', body, { 'webhook-timestamp': String(timestamp + 1) }, secret, 0],
    ['a time that is not a number', body, { 'webhook-timestamp': 'soon' }, secret, 0],
    ['another secret', body, {}, other, 0],
    ['no signature', body, { 'webhook-signature': undefined }, secret, 0],
    ['a signature that is not base64', body, { 'webhook-signature': 'v1,***' }, secret, 0],
    [
      'a signature of another version',
      body,
      { 'webhook-signature': signature.replace('v1', 'v2') },
      secret,
      0,
    ],
    ['a time 301 s ago', body, {}, secret, 301],
    ['a time 301 s in the future', body, {}, secret, -301],
  ])('a webhook is refused with %s', async (_title, given, changed, key, seconds) => {
    const verified = verifyWebhook(given, { ...headers, ...changed }, key, { now: now + seconds * 1000 })
    await expect(verified).rejects.toThrow(WebhookVerificationError)
  })

  test('a webhook is accepted 300 s after its time', async () => {
    expect(await verifyWebhook(body, headers, secret, { now: now + 300_000 })).toBeDefined()
  })

  test('a secret in another form is refused with the right form, and the error does not repeat the secret', async () => {
    const error = await verifyWebhook(body, headers, 'hunter2', { now }).catch((e) => e)
    expect(error).toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining('whsec_') })
    expect(error.message).not.toContain('hunter2')
  })

  test.each<[string, unknown]>([
    ['no secret', undefined],
    ['null', null],
    ['no secrets', []],
    ['a list with a secret that is not set', [undefined]],
  ])('%s is refused as a wrong secret, and not as a webhook of somebody else', async (_title, given) => {
    await expect(verifyWebhook(body, headers, given as string, { now })).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('whsec_'),
    })
  })

  test.each<[string, unknown]>([
    ['parsed JSON', JSON.parse(body)],
    ['no body', undefined],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('%s instead of the bytes is refused, with the reason', async (_title, given) => {
    await expect(verifyWebhook(given as string, headers, secret, { now })).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('before a parser'),
    })
  })

  test('any body that another implementation signed is verified, as bytes and as text', async () => {
    const key = Buffer.from(secret.slice(6), 'base64')
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
        const given = { ...headers, 'webhook-signature': `v1,${signed}` }
        expect(await verifyWebhook(Buffer.from(text), given, secret, { now })).toEqual(JSON.parse(text))
        expect(await verifyWebhook(text, given, secret, { now })).toEqual(JSON.parse(text))
      }),
      { numRuns: 100 },
    )
  })
})
