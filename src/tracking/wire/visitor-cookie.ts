const ageSeconds = 34_128_000

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The `Set-Cookie` for a page that asks for its id cookie with `X-CW-Cookie: <id> <domain>`; null: none. WebKit keeps a
 * server's cookie longer than a script's. Only a page of the same origin, behind a proxy of the site, gets the cookie:
 * otherwise any site could choose the id of a visitor. A page cannot forge `Sec-Fetch-Site`.
 */
export function visitorCookie(headers: Headers): string | null {
  if (headers['sec-fetch-site'] !== 'same-origin') return null
  const asked = /^(?<id>[\w-]{1,64}) (?<domain>[a-z0-9.-]{0,253})$/.exec(String(headers['x-cw-cookie']))
  const { id, domain } = asked?.groups ?? {}
  if (id === undefined) return null
  const secure = String(headers.origin).startsWith('https://') ? '; Secure' : ''
  return `cw_id=${id}; Max-Age=${ageSeconds}; Path=/; SameSite=Lax${secure}${domain && `; Domain=${domain}`}`
}
