import { expect } from 'vitest'
import type { Answer, TestApp } from './app.ts'
import { Browser, newMember, type SignedIn } from './members.ts'
import type { Misbehavior, OidcProvider } from './oidc-provider.ts'

let people = 0

/** Helpers for single sign-on. The app must trust proxies, and may reach private addresses. */
export function signOnAt(app: TestApp, provider: OidcProvider) {
  const newBrowser = () => new Browser(app.address, null)

  const settings = (more = {}) => ({
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    domains: ['acme.example'],
    newcomer_role: 'member',
    is_required: false,
    ...more,
  })

  const put = (owner: Browser, more = {}, headers = {}) =>
    owner.send('PUT', '/sso', { body: settings(more), headers })

  /** An org with the provider, as its owner. */
  async function newSsoOrg(more = {}): Promise<SignedIn> {
    const owner = await newMember(app, (await app.newOrg()).orgId)
    const { status, text } = await put(owner, more)
    expect([status, text]).toEqual([200, expect.any(String)])
    return owner
  }

  const newPerson = (more = {}) => {
    const sub = `person-${++people}`
    return { sub, email: `${sub}@acme.example`, email_verified: true, name: 'Ada Lovelace', ...more }
  }

  /** Goes to the provider. Returns the address to which it redirects the browser. */
  async function goTo(
    orgId: string,
    browser: Browser,
    more = '',
    misbehavior: Misbehavior = {},
  ): Promise<URL> {
    const start = await browser.get(`/sso/start?org_id=${orgId}${more}`)
    expect(start.status).toBe(303)
    const to = start.headers.get('location') ?? ''
    expect(to).toMatch(`${provider.issuer}/authorize?`)
    provider.misbehavior = misbehavior
    return provider.authorize(to)
  }

  /**
   * Returns from the provider. Gives the address to which Crosswalk redirects the browser; after a failure without the
   * organization, which `answer` has.
   */
  async function comeBack(browser: Browser, url: URL): Promise<{ to: string; answer: Answer }> {
    const path = url.pathname.replace('/console/api', '')
    const answer = await browser.get(path + url.search, { headers: { 'sec-fetch-site': 'cross-site' } })
    provider.misbehavior = {}
    expect(answer.status).toBe(303)
    return { to: (answer.headers.get('location') ?? '').replace(/&sso=[\w-]+$/, ''), answer }
  }

  /** Signs a person of the provider in. */
  async function signOn(
    orgId: string | null,
    person: Record<string, unknown>,
    { browser = newBrowser(), more = '', misbehavior = {} }: SignOn = {},
  ) {
    provider.person = person
    const back = await goTo(orgId ?? '', browser, more, misbehavior)
    const { to } = await comeBack(browser, back)
    browser.orgId = orgId
    return { browser, to, back }
  }

  return { newBrowser, settings, put, newSsoOrg, newPerson, goTo, comeBack, signOn }
}

type SignOn = { browser?: Browser; more?: string; misbehavior?: Misbehavior }
