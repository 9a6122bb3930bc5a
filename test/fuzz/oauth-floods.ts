import { randomUUID } from 'node:crypto'
import { callback, newVerifier, OauthRequests } from '../support/oauth-requests.ts'
import type { Variant } from './flood.ts'
import type { HeavyRequest } from './heaviest.ts'

const perSecond = 150

/** Each stranger has a network of its own, so that no limit for one network applies. */
const strangers = (count: number): Variant[] =>
  Array.from({ length: count }, (_, at) => ({
    headers: { authorization: 'Bearer none', 'x-forwarded-for': `10.8.${(at >> 8) & 255}.${at & 255}` },
  }))

/**
 * Requests of strangers to the authorization server at `address`.
 * @param publicUrl the issuer
 * @param documents the address of a website with metadata documents of clients
 */
export async function oauthFloods(
  address: string,
  publicUrl: string,
  documents: string,
): Promise<HeavyRequest[]> {
  const requests = new OauthRequests({ address })
  const { client_id: known } = (await requests.register()).body
  const signIns = (
    name: string,
    clientIdOf: (at: number) => string,
    redirectUri = callback,
  ): HeavyRequest => ({
    ...{ name: `sign-ins of ${name}`, method: 'GET', path: '/oauth/authorize', body: null, perSecond },
    prepare: async (count) =>
      strangers(count).map((stranger, at) => {
        const url = requests.authorizeUrl(clientIdOf(at), newVerifier(), {
          redirect_uri: redirectUri,
          resource: `${publicUrl}/mcp`,
        })
        return { ...stranger, path: url.pathname + url.search }
      }),
  })
  const documented = (name: string, pathOf: (at: number) => string) =>
    signIns(name, (at) => documents + pathOf(at), 'https://app.example/callback')
  const posts = (name: string, path: string, body: string, contentType: string): HeavyRequest => ({
    ...{ name, method: 'POST', path, contentType, body: Buffer.from(body), perSecond },
    prepare: async (count) => strangers(count),
  })
  const registration = { client_name: 'Flood', redirect_uris: Array(10).fill(callback) }
  const token = { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43), client_id: known }
  return [
    signIns('a registered app', () => known),
    signIns('unknown apps', () => randomUUID()),
    posts('registrations of apps', '/oauth/register', JSON.stringify(registration), 'application/json'),
    posts(
      'requests for tokens',
      '/oauth/token',
      new URLSearchParams(token).toString(),
      'application/x-www-form-urlencoded',
    ),
    documented('apps with documents', (at) => `/small/${at}`),
    documented('apps with large documents', (at) => `/large/${at}`),
    documented('one app with a large document', () => '/large/one'),
    documented('apps whose documents arrive slowly', (at) => `/slow/${at}`),
    documented('apps whose documents never arrive', (at) => `/silent/${at}`),
    documented('apps whose documents redirect', (at) => `/redirecting/${at}`),
  ]
}
