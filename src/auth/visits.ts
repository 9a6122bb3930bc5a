import type { FastifyRequest } from 'fastify'
import { forbidden } from '../platform/domain-error.ts'
import type { Visit } from '../platform/http/visit.ts'
import { networkOf } from './strangers.ts'

/** How long a session lasts at most, in seconds. */
export const sessionSeconds = 30 * 86_400

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])\.?(:\d+)?$/i

/**
 * Reads what a request through the console's door says about itself.
 * @param publicUrl the address of the installation, if the operator set it
 * @throws DomainError forbidden without TLS, except on this machine: the cookie would travel in clear text
 */
export function visitOf(request: FastifyRequest, publicUrl: string | null): Visit {
  const { host, protocol, headers } = request
  const isSecure = protocol === 'https' || isPublicHost(publicUrl, host)
  if (!isSecure && !loopback.test(host)) {
    throw forbidden(
      'console_needs_tls',
      'The console works over https, or on the machine itself (http://localhost). If a proxy of yours ends TLS, set PUBLIC_URL to the https address, or TRUST_PROXY to the proxy',
    )
  }
  return {
    token: cookieOf(headers.cookie, cookieName(isSecure)),
    session: null,
    attemptToken: cookieOf(headers.cookie, attemptName(isSecure)),
    confirmedUntilMs: 0,
    confirmWays: [],
    origin: `${isSecure ? 'https' : 'http'}://${host}`,
    isSecure,
    network: networkOf(request.ip),
    userAgent: (headers['user-agent'] ?? '').slice(0, 200),
  }
}

function isPublicHost(publicUrl: string | null, host: string): boolean {
  return publicUrl?.startsWith('https://') === true && new URL(publicUrl).host === host.toLowerCase()
}

// A sibling subdomain cannot set a cookie with the prefix __Host- (RFC 6265bis, section 4.1.3.2).
const cookieName = (isSecure: boolean) => (isSecure ? '__Host-crosswalk' : 'crosswalk')

function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value && /^[\w-]{43}$/.test(value)) return value
  }
  return null
}

/** False if a request for a page can have no session, because no cookie of one came with it. */
export const mayHaveSession = (cookies: string | undefined): boolean =>
  cookieOf(cookies, cookieName(true)) !== null || cookieOf(cookies, cookieName(false)) !== null

const attemptName = (isSecure: boolean) => `${cookieName(isSecure)}-sso`

/**
 * The Set-Cookie header that binds a single sign-on to the browser for 10 minutes; without a token, it deletes the cookie.
 * SameSite=Lax lets the cookie come along when the provider sends the browser back.
 */
export function attemptCookie({ isSecure }: Visit, token: string | null): { 'set-cookie': string } {
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${token === null ? 0 : 600}${isSecure ? '; Secure' : ''}`
  return { 'set-cookie': `${attemptName(isSecure)}=${token ?? ''}; ${flags}` }
}

/** The Set-Cookie header that stores a token in the browser; without a token, it deletes the cookie. */
export function sessionCookie({ isSecure }: Visit, token: string | null): { 'set-cookie': string } {
  const life = token === null ? 0 : sessionSeconds
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${life}${isSecure ? '; Secure' : ''}`
  return { 'set-cookie': `${cookieName(isSecure)}=${token ?? ''}; ${flags}` }
}

/**
 * Refuses a request that another site sent with the cookie of this one. Browsers send Sec-Fetch-Site, which a page
 * cannot set. Older ones send Origin.
 * @throws DomainError forbidden
 */
export function refuseOtherSites({ method, headers, host }: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD') return
  const site = headers['sec-fetch-site']
  if (site === undefined ? isSameHost(headers.origin, host) : site === 'same-origin') return
  throw forbidden(
    'cross_site_request',
    'This request comes from another site than the console, and was refused; open the console and try again there',
  )
}

function isSameHost(origin: string | undefined, host: string): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
