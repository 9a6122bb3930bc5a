import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { ClientDocuments, type DocumentAnswer } from '../support/client-documents.ts'
import { connectInBrowser } from '../support/connect-app.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { fromNewAddress } from '../support/new-address.ts'
import { newVerifier, OauthRequests } from '../support/oauth-requests.ts'
import { patience } from '../support/patience.ts'

let app: TestApp
let org: TestOrg
let browser: SignedIn
let requests: OauthRequests
let documents: ClientDocuments
let silent: Promise<{ status: number; seconds: number }>
beforeAll(async () => {
  documents = await new ClientDocuments().start()
  app = await startTestApp({ trustProxy: true, outboundAllowPrivate: true })
  org = await app.newOrg()
  browser = await newMember(app, org.orgId, 'admin')
  requests = new OauthRequests(app)
  // This takes seconds, so the other tests run at the same time.
  silent = timed(documents.publish('silent', () => 'silent'))
})
afterAll(async () => {
  await silent
  await app.close()
  await documents.close()
})

const redirectUri = 'https://app.example/callback'

const authorizeUrl = (clientId: string, verifier = newVerifier(), at = requests) =>
  at.authorizeUrl(clientId, verifier, { redirect_uri: redirectUri })

async function open(url: URL, headers = fromNewAddress()) {
  const response = await fetch(url, { redirect: 'manual', headers })
  return { status: response.status, location: response.headers.get('location'), page: await response.text() }
}

async function timed(clientId: string) {
  const startedAt = performance.now()
  const { status } = await open(authorizeUrl(clientId))
  return { status, seconds: (performance.now() - startedAt) / 1000 }
}

const json = (document: object): DocumentAnswer => ({ body: JSON.stringify(document) })

describe('an app whose client id is the address of its document', () => {
  test.each([
    ['the method none', {}],
    ['no method', { token_endpoint_auth_method: undefined }],
    [
      'a signed assertion, and none as an alternative, like ChatGPT',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        token_endpoint_auth_signing_alg: 'RS256',
        jwks_uri: 'https://chatgpt.example/jwks.json',
      },
    ],
  ])('an app with a client document connects without a registration, with %s', async (method, changes) => {
    const clientId = documents.publish(`good ${method}`.replaceAll(/\W+/g, '-'), (document) =>
      json({ ...document, ...changes }),
    )
    const verifier = newVerifier()
    const back = await connectInBrowser(browser, authorizeUrl(clientId, verifier))
    const { status, body } = await requests.token({
      ...{ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '', client_id: clientId },
      ...{ redirect_uri: redirectUri, code_verifier: verifier },
    })
    expect([status, body]).toEqual([200, expect.objectContaining({ refresh_token: expect.any(String) })])
    const [connected] = (await org.get('/connected-apps')).body.data
    expect(connected).toMatchObject({
      ...{ client_name: 'Documented', client_host: new URL(documents.address).host },
    })
    const refreshed = await requests.token({
      ...{ grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: clientId },
    })
    expect(refreshed.status).toBe(200)
  })

  test('a client document of almost 5 KiB is read', async () => {
    const clientId = documents.publish('almost', (it) => json({ ...it, padding: 'x'.repeat(4_700) }))
    expect((await open(authorizeUrl(clientId))).status).toBe(303)
  })

  test('the server reads a client document once, and then caches it', async () => {
    const clientId = documents.publish('cached', (document) => ({
      ...(json(document) as object),
      headers: { 'cache-control': 'max-age=3600' },
    }))
    for (let n = 0; n < 3; n++) expect((await open(authorizeUrl(clientId))).status).toBe(303)
    expect(documents.asked.filter((path) => path === '/cached')).toHaveLength(1)
  })
})

test('the server reads two client documents at once for a client address, and documents for other addresses meanwhile', async () => {
  const headers = fromNewAddress()
  const held = Array.from({ length: 6 }, (_, n) =>
    open(authorizeUrl(documents.publish(`held-${n}`, () => 'held')), headers),
  )
  await expect.poll(() => documents.heldMost, patience).toBeGreaterThanOrEqual(2)
  const other = await open(authorizeUrl(documents.publish('of-another-address', json)))
  expect(other.status).toBe(303)
  documents.release()
  for (const { status } of await Promise.all(held)) expect(status).toBe(400)
  expect(documents.heldMost).toBe(2)
})

describe('an app gets a page and no redirect if its document', () => {
  const refused: [string, (document: Record<string, unknown>) => DocumentAnswer, string][] = [
    [
      'redirects',
      () => ({ status: 302, headers: { location: '/target' } }),
      'without a redirect, and is 302',
    ],
    ['does not exist', () => ({ status: 404 }), 'and is 404'],
    ['is larger than 5 KiB', (it) => json({ ...it, padding: 'x'.repeat(5 * 1024) }), 'more than 5120 bytes'],
    ['names another client id', (it) => json({ ...it, client_id: `${it.client_id}/` }), 'does not match'],
    ['is no JSON', () => ({ body: 'client_id' }), 'it must be JSON'],
    [
      'has thousands of levels',
      (it) => ({ body: `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)},${JSON.stringify(it).slice(1)}` }),
      'at most 100 levels',
    ],
    ['is a list', (it) => json([it]), 'not a JSON object'],
    [
      'has the content type of a page',
      (it) => ({ ...(json(it) as object), headers: { 'content-type': 'text/html' } }),
      'content type must be application/json',
    ],
    ['shares a secret', (it) => json({ ...it, token_endpoint_auth_method: 'client_secret_post' }), 'secret'],
    [
      'can only sign its requests',
      (it) => json({ ...it, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://x.example/' }),
      'token_endpoint_auth_method',
    ],
    [
      'does not list the redirect',
      (it) => json({ ...it, redirect_uris: ['https://x.example/'] }),
      'redirect_uri',
    ],
  ]

  test.each(refused)('an app gets a page and no redirect if its document %s', async (how, make, reason) => {
    const clientId = documents.publish(how.replaceAll(' ', '-'), make)
    expect(await open(authorizeUrl(clientId))).toEqual({
      ...{ status: 400, location: null, page: expect.stringContaining(reason) },
    })
    expect(documents.asked).not.toContain('/target')
  })

  test('an app gets a page and no redirect if its document is at a private address', async () => {
    const strict = await startTestApp({ trustProxy: true })
    const clientId = documents.publish('private', json)
    const url = authorizeUrl(clientId, newVerifier(), new OauthRequests(strict))
    const { status, page } = await open(url)
    await strict.close()
    expect([status, page]).toEqual([400, expect.stringContaining('is not an address of the public internet')])
    expect(documents.asked).not.toContain('/private')
  })

  test('an app gets a page and no redirect if its document does not arrive within 5 s', async () => {
    const { status, seconds } = await silent
    expect(status).toBe(400)
    expect(seconds).toBeGreaterThan(5)
    expect(seconds).toBeLessThan(15)
    expect(documents.asked.filter((path) => path === '/silent')).toHaveLength(1)
  })
})
