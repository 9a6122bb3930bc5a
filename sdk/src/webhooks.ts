// The entry `@crosswalk/sdk/webhooks`: Standard Webhooks 1.0.0, https://www.standardwebhooks.com.
import { ConfigurationError, WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './generated/types.ts'

export { WebhookVerificationError } from './errors.ts'

export type { WebhookEvent } from './generated/types.ts'

/** `Headers`, or the headers of a Node.js request. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export type VerifyOptions = {
  /** The maximum age in seconds; 300 by default. */
  toleranceSeconds?: number | undefined
  /** The current time in Unix milliseconds; by default this machine's clock. */
  now?: number | undefined
}

/**
 * Returns the event of a webhook if its signature is valid.
 * @param body the unparsed body, byte for byte as received
 * @param secrets the endpoint's secret, `whsec_…`, or several during a rotation
 * @throws WebhookVerificationError if the webhook is not from Crosswalk, was changed, or is too old
 * @throws ConfigurationError if the body is neither text nor bytes, or a secret is missing or malformed
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new ConfigurationError(
      'The body must be the text or the bytes (Uint8Array) of the request: read it before a parser, such as express.json(), does.',
    )
  const id = required(headers, 'webhook-id')
  const timestamp = required(headers, 'webhook-timestamp')
  const signatures = required(headers, 'webhook-signature').split(' ')
  const age = now / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds)
    throw new WebhookVerificationError(
      `The webhook's timestamp is more than ${toleranceSeconds} s away from this clock. Check the clock, or ignore the webhook.`,
    )
  const signed = signedBytes(id, timestamp, body)
  const given = [secrets].flat()
  if (given.length === 0) throw malformedSecret()
  for (const secret of given) {
    const key = await keyOf(secret, 'verify')
    for (const signature of signatures) if (await isSignature(key, signature, signed)) return parsed(body)
  }
  throw new WebhookVerificationError(
    'No signature of the webhook fits. Check the secret, and pass the body exactly as it was received.',
  )
}

/** Returns the three headers of a signed webhook, to test a receiver. */
export async function signWebhook(
  body: string | Uint8Array,
  secret: string,
  { id, timestamp = Math.floor(Date.now() / 1000) }: { id: string; timestamp?: number | undefined },
): Promise<Record<string, string>> {
  const key = await keyOf(secret, 'sign')
  const signature = await crypto.subtle.sign('HMAC', key, signedBytes(id, String(timestamp), body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  }
}

/** Compares in constant time (WebCrypto). Skips versions other than v1. */
async function isSignature(key: CryptoKey, text: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [version, encoded = ''] = text.split(',')
  const signature = version === 'v1' ? fromBase64(encoded) : null
  return signature !== null && crypto.subtle.verify('HMAC', key, signature, signed)
}

const malformedSecret = () =>
  new ConfigurationError('The secret of a webhook is whsec_ and then base64. Copy all of it.')

/** @param secret undefined if a program passes a variable that is not set */
function keyOf(secret: string | undefined, use: 'sign' | 'verify'): Promise<CryptoKey> {
  const bytes = secret?.startsWith('whsec_') ? fromBase64(secret.slice(6)) : null
  if (bytes === null || bytes.length === 0) throw malformedSecret()
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

function signedBytes(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const head = encoder.encode(`${id}.${timestamp}.`)
  const rest = typeof body === 'string' ? encoder.encode(body) : body
  const bytes = new Uint8Array(head.length + rest.length)
  bytes.set(head)
  bytes.set(rest, head.length)
  return bytes
}

function parsed(body: string | Uint8Array): WebhookEvent {
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name)
  if (value) return value
  throw new WebhookVerificationError(`The webhook has no header ${name}: it is not from Crosswalk.`)
}

function plainHeader(
  headers: Record<string, string | string[] | undefined>,
  name: string,
): string | undefined {
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)
  return Array.isArray(found?.[1]) ? found[1].join(' ') : found?.[1]
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))
  } catch {
    return null
  }
}
