import { createHash, randomBytes } from 'node:crypto'
import type { TestApp } from './app.ts'
import { connectInBrowser } from './connect-app.ts'
import type { SignedIn } from './members.ts'
import { fromNewAddress } from './new-address.ts'

/** The redirect address of an app on a person's computer. */
export const callback = 'http://127.0.0.1:33418/callback'

export const newVerifier = (): string => randomBytes(32).toString('base64url')
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

type Tokens = { status: number; body: { access_token: string; refresh_token: string; error?: string } }

/** The requests of an app's sign-in, as an attacker can write them. Each comes from an address of its own. */
export class OauthRequests {
  readonly #app: Pick<TestApp, 'address'>
  constructor(app: Pick<TestApp, 'address'>) {
    this.#app = app
  }

  async register(
    redirectUris: string[] = [callback],
    address: Record<string, string> = fromNewAddress(),
    metadata: object = {},
  ): Promise<{ status: number; body: { client_id: string; error?: string } }> {
    const response = await fetch(`${this.#app.address}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...address },
      body: JSON.stringify({ client_name: 'Attacker', redirect_uris: redirectUris, ...metadata }),
    })
    return { status: response.status, body: (await response.json()) as { client_id: string } }
  }

  authorizeUrl(clientId: string, verifier: string, changes: Record<string, string | null> = {}): URL {
    const url = new URL('/oauth/authorize', this.#app.address)
    const usual = {
      ...{ client_id: clientId, response_type: 'code', redirect_uri: callback, state: 'x' },
      ...{ scope: 'contacts:write', resource: `${this.#app.address}/mcp` },
      ...{ code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
    }
    for (const [name, value] of Object.entries({ ...usual, ...changes }))
      if (value !== null) url.searchParams.set(name, value)
    return url
  }

  async token(form: Record<string, string>): Promise<Tokens> {
    const response = await fetch(`${this.#app.address}/oauth/token`, {
      method: 'POST',
      headers: fromNewAddress(),
      body: new URLSearchParams(form),
    })
    return { status: response.status, body: (await response.json()) as Tokens['body'] }
  }

  /**
   * Connects a client with the consent of the person in the browser. Returns the tokens, and the form of the token
   * request.
   */
  async connect(
    browser: SignedIn,
    clientId: string,
    answer: Exclude<Parameters<typeof connectInBrowser>[2], 'decline'> = {},
  ) {
    const verifier = newVerifier()
    const back = await connectInBrowser(browser, this.authorizeUrl(clientId, verifier), answer)
    const code = back.searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', redirect_uri: callback, client_id: clientId, code }
    const { body } = await this.token({ ...form, code_verifier: verifier })
    return { ...body, form: { ...form, code_verifier: verifier } }
  }

  /** Returns the status. */
  async revoke(clientId: string, token: string): Promise<number> {
    const response = await fetch(`${this.#app.address}/oauth/revoke`, {
      method: 'POST',
      headers: fromNewAddress(),
      body: new URLSearchParams({ client_id: clientId, token }),
    })
    return response.status
  }
}
