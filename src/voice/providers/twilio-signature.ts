import { createHmac } from 'node:crypto'
import { isSameText } from './same-text.ts'

/**
 * The signature of a form that Twilio posts: HMAC-SHA1 of the address and the sorted parameters, values of the same name
 * once each and sorted (twilio.com/docs/usage/security#validating-requests; as validateRequest of Twilio's SDK has it).
 */
function twilioSignature(authToken: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort()
  const text = names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value))
  return createHmac('sha1', authToken)
    .update(`${url}${text.join('')}`)
    .digest('base64')
}

/** True if Twilio signed it, with the port in the address or without: what it called may have had it or not. */
export function isSignedByTwilio(
  authToken: string,
  url: string,
  form: URLSearchParams,
  signature: string,
): boolean {
  return [withoutPort(url), withPort(url)]
    .map((each) => isSameText(signature, twilioSignature(authToken, each, form)))
    .includes(true)
}

// By the text: URL would write some characters differently than they were signed.
const parts = /^(https?:\/\/)([^/?#]*?)(:\d+)?([/?#].*|)$/

const withoutPort = (url: string) => url.replace(parts, '$1$2$4')

const withPort = (url: string) =>
  url.replace(
    parts,
    (_all, scheme, host, port, rest) =>
      `${scheme}${host}${port ?? (scheme === 'https://' ? ':443' : ':80')}${rest}`,
  )
