import type { FastifyRequest } from 'fastify'
import { networkOf } from '../platform/client-network.ts'
import { forbidden } from '../platform/domain-error.ts'
import type { RequestingBrowser } from '../platform/http/requesting-browser.ts'
import { isLoopbackHost } from '../platform/loopback.ts'

/** The maximum duration of a session in seconds. */
export const sessionSeconds = 30 * 86_400

/**
 * Reads the cookies and the origin of a console request.
 * @param publicUrl the address of the installation, if the operator set it
 * @throws DomainError forbidden without TLS, except on this machine: the network could read the cookie
 */
export function browserOf(request: FastifyRequest, publicUrl: string | null): RequestingBrowser {
  const { host, protocol, headers } = request
  if (lacksTls(request, publicUrl)) throw forbidden('console_needs_tls', tlsAdvice)
  const isSecure = protocol === 'https' || isPublicHost(publicUrl, host)
  return {
    token: cookieOf(headers.cookie, cookieName(isSecure)),
    session: null,
    attemptToken: cookieOf(headers.cookie, attemptName(isSecure)),
    appSignIns: appSignInsIn(headers.cookie, isSecure),
    confirmedUntilMs: 0,
    confirmWays: [],
    origin: `${isSecure ? 'https' : 'http'}://${host}`,
    isSecure,
    network: networkOf(request.ip),
    userAgent: (headers['user-agent'] ?? '').slice(0, 200),
  }
}

/** The advice to a person whose request lacks TLS. */
export const tlsAdvice =
  'The console works over https, or on the machine itself (http://localhost). If your proxy ends TLS, set PUBLIC_URL to the https address, or set TRUST_PROXY to the address of the proxy'

/** Whether the network could read the password and the cookie: there is no TLS, and the browser is on another machine. */
export const lacksTls = ({ protocol, host }: FastifyRequest, publicUrl: string | null): boolean =>
  protocol !== 'https' && !isPublicHost(publicUrl, host) && !isLoopbackHost(host)

function isPublicHost(publicUrl: string | null, host: string): boolean {
  return publicUrl?.startsWith('https://') === true && new URL(publicUrl).host === host.toLowerCase()
}

// __Host-: a sibling subdomain cannot set such a cookie (RFC 6265bis, section 4.1.3.2).
const cookieName = (isSecure: boolean) => (isSecure ? '__Host-crosswalk' : 'crosswalk')

/** Searches the header as it is: strangers can send thousands of cookies, and to split them takes a millisecond. */
function cookieOf(header: string | undefined, name: string): string | null {
  if (!header?.includes(`${name}=`)) return null
  return new RegExp(`(?:^|;)\\s*${name}=([\\w-]{43})\\s*(?:;|$)`).exec(header)?.[1] ?? null
}

/** Returns the token in the session cookie of a request, with TLS or without; null: there is none. */
export const sessionTokenIn = (cookies: string | undefined): string | null =>
  cookieOf(cookies, cookieName(true)) ?? cookieOf(cookies, cookieName(false))

const attemptName = (isSecure: boolean) => `${cookieName(isSecure)}-sso`

/**
 * The Set-Cookie header that binds a single sign-on to the browser for 10 minutes. Without a token, it deletes the
 * cookie. The browser must send it when the provider redirects back, so it is SameSite=Lax.
 */
export function attemptCookie(
  { isSecure }: RequestingBrowser,
  token: string | null,
): { 'set-cookie': string } {
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${token === null ? 0 : 600}${isSecure ? '; Secure' : ''}`
  return { 'set-cookie': `${attemptName(isSecure)}=${token ?? ''}; ${flags}` }
}

const appSignInName = (isSecure: boolean) => `${cookieName(isSecure)}-app-`

/**
 * The value of a Set-Cookie header that binds the sign-in of an app to the browser in which it began. Otherwise somebody
 * could begin a sign-in, let another person allow it, and get that person's code.
 */
export const appSignInCookie = (isSecure: boolean, uid: string, seconds: number): string =>
  `${appSignInName(isSecure)}${uid}=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`

function appSignInsIn(cookies = '', isSecure: boolean): string[] {
  const name = appSignInName(isSecure)
  if (!cookies.includes(name)) return []
  return cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name))
    .map((pair) => pair.slice(name.length).replace(/=.*$/, ''))
}

/** Returns the Set-Cookie header of a session. Without a token, it deletes the cookie. */
export function sessionCookie(
  { isSecure }: RequestingBrowser,
  token: string | null,
): { 'set-cookie': string } {
  const life = token === null ? 0 : sessionSeconds
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${life}${isSecure ? '; Secure' : ''}`
  return { 'set-cookie': `${cookieName(isSecure)}=${token ?? ''}; ${flags}` }
}

/**
 * Refuses a request that another site sent with this site's cookie. Browsers send Sec-Fetch-Site, which a page cannot
 * set; older browsers send Origin.
 * @throws DomainError forbidden
 */
export function refuseOtherSites({ method, headers }: FastifyRequest, { origin }: RequestingBrowser): void {
  if (method === 'GET' || method === 'HEAD') return
  const site = headers['sec-fetch-site']
  if (site === undefined ? isSameOrigin(headers.origin, origin) : site === 'same-origin') return
  throw forbidden(
    'cross_site_request',
    'This request comes from another site than the console, and was refused; open the console and try again there',
  )
}

/** Compare the scheme too: somebody in the network can answer for http, but not for https. */
const isSameOrigin = (sent: string | undefined, own: string): boolean =>
  URL.parse(sent ?? '')?.origin === URL.parse(own)?.origin
