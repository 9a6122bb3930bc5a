import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './app.ts'
import type { SignedIn } from './members.ts'
import { fromNewAddress } from './new-address.ts'

/** A sign-in of an app in the browser of a person, who has not answered yet. */
class SignInOfApp {
  readonly #browser: SignedIn
  readonly #cookies = new Map<string, string>()
  #path = ''

  constructor(browser: SignedIn) {
    this.#browser = browser
  }

  /** Goes to an address with the cookies of the sign-in. Returns the address of the redirect. */
  async visit(url: string | URL): Promise<URL> {
    const headers = { cookie: this.#cookie, ...fromNewAddress() }
    const response = await fetch(url, { redirect: 'manual', headers })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]!.split('=', 2)
      this.#cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status}: ${await response.text()}`)
    const to = new URL(location, url)
    if (to.pathname.startsWith('/console/connect/')) this.#path = `/connect/${to.pathname.split('/').at(-1)}`
    return to
  }

  get #cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  get #headers() {
    return { cookie: [this.#browser.cookie, this.#cookie].join('; ') }
  }

  read(): Promise<Answer> {
    return this.#browser.get(this.#path, { headers: this.#headers })
  }

  allow(allowed: { org_id: string | null; mode: 'live' | 'test'; permissions: string[] }): Promise<Answer> {
    return this.#browser.post(`${this.#path}/allow`, allowed, { headers: this.#headers })
  }

  decline(): Promise<Answer> {
    return this.#browser.post(`${this.#path}/decline`, undefined, { headers: this.#headers })
  }
}

/** Opens the question whether an app may be connected. */
export async function openConsent(browser: SignedIn, authorizationUrl: string | URL): Promise<SignInOfApp> {
  const signIn = new SignInOfApp(browser)
  await signIn.visit(authorizationUrl)
  return signIn
}

/** The browser of a person during a sign-in of an app: follows redirects, keeps cookies, and answers the consent page. */
export async function connectInBrowser(
  browser: SignedIn,
  authorizationUrl: string | URL,
  answer: { permissions?: string[]; orgId?: string; mode?: 'live' | 'test' } | 'decline' = {},
): Promise<URL> {
  const signIn = new SignInOfApp(browser)
  const consent = await signIn.visit(authorizationUrl)
  // An error redirects to the app at once.
  if (!consent.pathname.startsWith('/console/connect/')) return consent
  const asked = await withinLimit(() => signIn.read())
  if (asked.status !== 200) throw new Error(asked.text)
  const {
    permissions = asked.body.data.checked,
    orgId = browser.orgId,
    mode = 'live',
  } = answer === 'decline' ? {} : answer
  const decided = await withinLimit(() =>
    answer === 'decline' ? signIn.decline() : signIn.allow({ org_id: orgId, mode, permissions }),
  )
  if (decided.status !== 200) throw new Error(decided.text)
  return signIn.visit(decided.body.data.redirect_url)
}

/** Sends a request again after the time that a refusal names: a fast machine may exceed the limit of a person. */
async function withinLimit(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send()
  if (answer.status !== 429) return answer
  await delay(Number(answer.headers.get('retry-after')) * 1_000)
  return withinLimit(send)
}
