import { isIP } from 'node:net'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { isPublicAddress } from '../platform/outbound/public-address.ts'

/**
 * Requires a URL to which events can be sent. Each request checks the host again when it resolves the name.
 * @param allowPrivate whether http and private addresses are allowed, like the operator's OUTBOUND_ALLOW_PRIVATE
 * @throws ValidationError at url
 */
export function requireUrl(text: string, allowPrivate: boolean): void {
  const problem = problemOf(text, allowPrivate)
  if (problem !== null) throw new ValidationError([detailAt(['body', 'url'], refuse(problem))])
}

const exception = 'the operator can allow other URLs for a trial (OUTBOUND_ALLOW_PRIVATE=1)'

function problemOf(text: string, allowPrivate: boolean): string | null {
  const url = URL.parse(text)
  if (url === null) return 'this is not a URL; send one such as https://crm.example.com/crosswalk'
  const allowed = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (!allowed.includes(url.protocol)) {
    const wrong = `the URL must begin with https://, but it begins with ${url.protocol.slice(0, 20)}`
    return url.protocol === 'http:' ? `${wrong}; ${exception}` : wrong
  }
  if (url.username !== '' || url.password !== '')
    return 'the URL must not have a user name or a password; send a secret in `headers`'
  if (text.includes('#')) return 'the URL must not have a fragment (#); it would not be sent'
  if (allowPrivate) return null
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0)
    return isPublicAddress(host)
      ? null
      : `${host} is not a public address; send the address of a public host; ${exception}`
  if (host === 'localhost' || /\.(localhost|local|internal|home\.arpa)$/.test(host) || !host.includes('.'))
    return `${host} is not the name of a public host; send the name of a public host; ${exception}`
  return null
}
