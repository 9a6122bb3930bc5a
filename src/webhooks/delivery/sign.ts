import { createHmac } from 'node:crypto'

/** What a signature covers. */
export type Signed = {
  /** The id of the event, the same for every try. */
  id: string
  /** The time of this try in Unix seconds. */
  timestamp: number
  body: string
}

const prefix = 'whsec_'

/** Returns the bytes of a secret `whsec_<base64>`. @throws Error without the value if it has another form */
export function secretBytes(secret: string): Buffer {
  const bytes = Buffer.from(secret.slice(prefix.length), 'base64')
  if (!secret.startsWith(prefix) || bytes.length === 0) throw new Error('not a secret of an endpoint')
  return bytes
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0.0): one signature for each secret, separated by spaces.
 * @param secrets the current secret and, during a rotation, the old one
 */
export function signatureOf(secrets: readonly Buffer[], { id, timestamp, body }: Signed): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
    .join(' ')
}
