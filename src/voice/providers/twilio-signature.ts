import { createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../platform/constant-time.ts'

/** Twilio sends about 30 parameters. To sort many more would block other requests. */
const parametersMax = 500

/** Returns the parameters of a form; null if it has more than Twilio sends. */
export function readForm(body: Buffer): URLSearchParams | null {
  const text = body.toString()
  return text.split('&', parametersMax + 1).length > parametersMax ? null : new URLSearchParams(text)
}

/**
 * Twilio's signature of a form: HMAC-SHA1 of the address and the sorted parameters. The distinct values of a name are
 * sorted too (twilio.com/docs/usage/security#validating-requests, and validateRequest of Twilio's SDK).
 */
const twilioSignature = (authToken: string, url: string, parameters: string): string =>
  createHmac('sha1', authToken).update(`${url}${parameters}`).digest('base64')

/** `getAll` of each name would step over all parameters each time. */
function parametersOf(form: URLSearchParams): string {
  const values = new Map<string, Set<string>>()
  for (const [name, value] of form) {
    const known = values.get(name)
    if (known) known.add(value)
    else values.set(name, new Set([value]))
  }
  return [...values.keys()]
    .sort()
    .flatMap((name) => [...values.get(name)!].sort().map((value) => name + value))
    .join('')
}

/** Returns whether Twilio signed the form. Twilio may sign the address with or without its port. */
export function isSignedByTwilio(
  authToken: string,
  url: string,
  form: URLSearchParams,
  signature: string,
): boolean {
  const parameters = parametersOf(form)
  return [withoutPort(url), withPort(url)]
    .map((each) => isEqualInConstantTime(signature, twilioSignature(authToken, each, parameters)))
    .includes(true)
}

// Do not use `URL`: it would normalize characters that the signature covers.
const parts = /^(https?:\/\/)([^/?#]*?)(:\d+)?([/?#].*|)$/

const withoutPort = (url: string) => url.replace(parts, '$1$2$4')

const withPort = (url: string) =>
  url.replace(
    parts,
    (_all, scheme, host, port, rest) =>
      `${scheme}${host}${port ?? (scheme === 'https://' ? ':443' : ':80')}${rest}`,
  )
