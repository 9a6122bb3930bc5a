import type { Role } from '../../src/auth/roles.ts'
import { putMembership } from '../../src/members/memberships.ts'
import { insertPerson } from '../../src/members/people.ts'
import { openSession } from '../../src/members/sessions.ts'
import type { RequestingBrowser } from '../../src/platform/http/requesting-browser.ts'
import { type Answer, type Options, type TestApp, TestClient } from './app.ts'
import { newAddress } from './new-address.ts'

/**
 * A browser that uses the console's API. Like a real browser, it keeps cookies, and names the site that sent a
 * request.
 */
export class Browser extends TestClient {
  cookie: string | null = null
  orgId: string | null = null
  /** The cookie that binds a single sign-on to the browser. */
  attempt: string | null = null
  readonly #ip: string

  /**
   * @param ip the client address in the header that a trusted proxy sets; by default each browser has a new address
   */
  constructor(address: string, token: string | null, ip: string = newAddress()) {
    super(address, token)
    this.#ip = ip
  }

  override async send(method: string, path: string, options: Options = {}): Promise<Answer> {
    const cookies = [this.cookie, this.attempt].filter((cookie) => cookie !== null)
    const headers = {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': this.#ip,
      ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
      ...(this.orgId ? { 'x-org-id': this.orgId } : {}),
      ...options.headers,
    }
    const answer = await super.send(method, path, { prefix: '/console/api', ...options, headers })
    const [set] = answer.headers.getSetCookie()
    if (set?.startsWith('crosswalk-sso=')) this.attempt = set.split(';')[0] ?? null
    else if (set) this.cookie = set.includes('Max-Age=0') ? null : (set.split(';')[0] ?? null)
    return answer
  }
}

/** A browser in which a member is signed in. */
export type SignedIn = Browser & { memberId: string; email: string; sessionToken: string }

const consoleBrowser: RequestingBrowser = {
  ...{
    token: null,
    attemptToken: null,
    appSignIns: [],
    session: null,
    confirmedUntilMs: 0,
    confirmWays: [],
    origin: 'http://127.0.0.1',
    isSecure: false,
    network: '127.0.0.1',
  },
  userAgent: 'Test browser',
}

let people = 0

/** Creates a person with a role, who is signed in. The person has no password, because hashing takes long. */
export async function newMember(
  app: TestApp,
  orgId: string,
  role: Role = 'owner',
  ip?: string,
): Promise<SignedIn> {
  const email = `person-${++people}@x.example`
  const person = { email, emailKey: email, name: `Person ${people}`, password: '' }
  const { memberId, token } = await app.operate(async (tx) => {
    const memberId = (await insertPerson(tx, person)) ?? ''
    await putMembership(tx, orgId, memberId, role)
    return { memberId, token: await openSession(tx, memberId, consoleBrowser) }
  })
  const browser = new Browser(app.address, null, ip)
  browser.cookie = `crosswalk=${token}`
  browser.orgId = orgId
  return Object.assign(browser, { memberId, email, sessionToken: token })
}
