import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { type ReceivedRequest, StandInServer, type StubAnswer } from './server.ts'

type SendAs = {
  sendAsEmail: string
  signature: string
  isPrimary?: boolean
  isDefault?: boolean
  displayName: string
}
type Refusal = {
  status: number
  reason: string
  message: string
  state?: string
  headers?: Record<string, string>
}

const scope = 'https://www.googleapis.com/auth/gmail.settings.basic'
const delegated = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** An error answer in the format of Google's APIs. */
const googleError = ({
  status,
  reason,
  message,
  state = 'PERMISSION_DENIED',
  headers,
}: Refusal): StubAnswer => ({
  status,
  body: { error: { code: status, message, errors: [{ message, domain: 'global', reason }], status: state } },
  ...(headers && { headers }),
})

export const tooMany = (seconds?: number): StubAnswer =>
  googleError({
    ...{ status: 429, reason: 'rateLimitExceeded', state: 'RESOURCE_EXHAUSTED' },
    message: 'Too many concurrent requests for user',
    ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
  })
export const userRateLimit = (): StubAnswer =>
  googleError({ status: 403, reason: 'userRateLimitExceeded', message: 'User Rate Limit Exceeded' })
export const insufficient = (): StubAnswer =>
  googleError({
    ...{ status: 403, reason: 'insufficientPermissions' },
    message: 'Request had insufficient authentication scopes.',
  })

/** A stand-in for Gmail's sendAs settings, and for the sign-in of service accounts. */
export class GmailStandIn {
  readonly server = new StandInServer((request) => this.#handle(request))
  /** The send-as addresses of each user. */
  readonly users = new Map<string, SendAs[]>()
  readonly #tokens = new Map<string, string>()
  readonly #publicKey: string
  readonly account: { client_email: string; private_key: string }
  /** The refusals of a user's next changes, in order. */
  readonly refusals = new Map<string, StubAnswer[]>()
  /** How Gmail changes HTML before it stores it. */
  keeps: (html: string) => string = asGmailStores
  /** Every answer waits for this promise. */
  until: Promise<unknown> = Promise.resolve()
  /** The number of changes, by user. */
  readonly changes = new Map<string, number>()
  #made = 0

  private constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    this.#publicKey = publicKey
    this.account = {
      client_email: 'signatures@project-of-a-test.iam.gserviceaccount.com',
      private_key: privateKey,
    }
  }

  static async start(): Promise<GmailStandIn> {
    const standIn = new GmailStandIn()
    await standIn.server.listen()
    return standIn
  }

  addUser(email: string, aliases: string[] = []): void {
    const own = { sendAsEmail: email, signature: '', displayName: '', isPrimary: true, isDefault: true }
    this.users.set(email, [
      own,
      ...aliases.map((sendAsEmail) => ({ sendAsEmail, signature: '', displayName: '' })),
    ])
  }

  signatureOf(email: string): string | undefined {
    return [...this.users.values()].flat().find(({ sendAsEmail }) => sendAsEmail === email)?.signature
  }

  /** A valid token of a user, without a sign-in. */
  tokenFor(user: string): string {
    const token = `ya29.token-${++this.#made}`
    this.#tokens.set(token, user)
    return token
  }

  get tokenUrl(): string {
    return `${this.server.url}/token`
  }

  async #handle(request: ReceivedRequest): Promise<StubAnswer> {
    await this.until
    if (request.path === '/token') return this.#signIn(new URLSearchParams(request.body))
    const [, userPart = '', addressPart] =
      /^\/gmail\/v1\/users\/([^/]+)\/settings\/sendAs(?:\/([^/]+))?$/.exec(request.path) ?? []
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const user = this.#tokens.get(token)
    if (!user)
      return googleError({
        ...{ status: 401, reason: 'authError', state: 'UNAUTHENTICATED' },
        message: 'Request had invalid authentication credentials.',
      })
    const named = decodeURIComponent(userPart)
    if (named !== 'me' && named !== user)
      return googleError({ status: 403, reason: 'forbidden', message: `Delegation denied for ${user}` })
    const addresses = this.users.get(user)!
    if (addressPart === undefined) return { status: 200, body: { sendAs: addresses } }
    const address = addresses.find(({ sendAsEmail }) => sendAsEmail === decodeURIComponent(addressPart))
    if (!address)
      return googleError({
        ...{ status: 404, reason: 'notFound', state: 'NOT_FOUND' },
        message: 'Requested entity was not found.',
      })
    if (request.method === 'GET') return { status: 200, body: address }
    const refusal = this.refusals.get(user)?.shift()
    if (refusal) return refusal
    const { signature } = JSON.parse(request.body)
    if (signature.length > 10_000)
      return googleError({
        ...{ status: 400, reason: 'invalidArgument', state: 'INVALID_ARGUMENT' },
        message: 'Invalid signature',
      })
    address.signature = this.keeps(signature)
    this.changes.set(user, (this.changes.get(user) ?? 0) + 1)
    return { status: 200, body: address }
  }

  /**
   * Checks the signed request of a service account
   * (developers.google.com/identity/protocols/oauth2/service-account#httprest).
   */
  async #signIn(form: URLSearchParams): Promise<StubAnswer> {
    const refuse = (status: number, error: string, error_description: string): StubAnswer => ({
      status,
      body: { error, error_description },
    })
    if (form.get('grant_type') !== delegated)
      return refuse(400, 'unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type')}`)
    let claims: Record<string, unknown>
    try {
      const options = { issuer: this.account.client_email, audience: this.tokenUrl, maxTokenAge: '1h' }
      const key = createPublicKey(this.#publicKey)
      claims = (await jwtVerify(form.get('assertion') ?? '', key, { ...options, algorithms: ['RS256'] }))
        .payload
    } catch {
      return refuse(400, 'invalid_grant', 'Invalid JWT Signature.')
    }
    if (claims.scope !== scope)
      return refuse(
        401,
        'unauthorized_client',
        'Client is unauthorized to retrieve access tokens using this method.',
      )
    const user = String(claims.sub)
    if (!this.users.has(user)) return refuse(400, 'invalid_grant', 'Invalid email or User ID')
    return {
      status: 200,
      body: { access_token: this.tokenFor(user), expires_in: 3599, token_type: 'Bearer' },
    }
  }
}

/** Adds a wrapper, `target` on links, and spaces in styles. */
function asGmailStores(html: string): string {
  return `<div dir="ltr">${html
    .replaceAll(/<a ([^>]*)>/g, '<a $1 target="_blank">')
    .replaceAll(/<br ?\/?>/g, '<br>')
    .replaceAll(
      /style="([^"]*)"/g,
      (_, style: string) => `style="${style.replaceAll(/\s*;\s*/g, ';').replaceAll(/:\s*/g, ':')}"`,
    )}</div>`
}
