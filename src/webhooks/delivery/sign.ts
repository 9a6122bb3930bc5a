import { createHmac } from 'node:crypto'

/** What a request is signed for. */
export type Signed = {
  /** The id of the event, the same at every try. */
  id: string
  /** Unix seconds of this try. */
  timestamp: number
  body: string
}

const prefix = 'whsec_'

/** The bytes of a secret `whsec_<base64>`. @throws Error without the value if it has another form */
export function secretBytes(secret: string): Buffer {
  const bytes = Buffer.from(secret.slice(prefix.length), 'base64')
  if (!secret.startsWith(prefix) || bytes.length === 0) throw new Error('not a secret of an endpoint')
  return bytes
}

/**
 * The value of `webhook-signature` of Standard Webhooks 1.0.0: a signature with each secret, separated by spaces.
 * @param secrets the current secret, and during a rotation also the old one
 */
export function signatureOf(secrets: readonly Buffer[], { id, timestamp, body }: Signed): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
    .join(' ')
}
