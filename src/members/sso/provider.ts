import type { Configuration, CustomFetchOptions } from 'openid-client'
import { OrgBusy } from '../../platform/db/errors.ts'
import { FairLimiter } from '../../platform/db/fair-limiter.ts'
import { refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { AnswerLost, RequestNotSent } from '../../platform/outbound/errors.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { readProviderAnswer } from './provider-answer.ts'

const timeoutMs = 10_000
const maxBytes = 256 * 1024
/** How long the result of a discovery is kept, and how long a failure is kept. Strangers can begin any number of sign-ins. */
const [knownMs, failedMs] = [300_000, 2_000]
/** How many organizations are kept. */
const knownMax = 1_000

/** Strangers begin sign-ins, and a provider can delay each answer for 10 s. */
const limiter = new FairLimiter({ max: 16, total: 64, waitMs: timeoutMs, waitingMax: 128 })

export type SsoClient = { orgId: string; issuer: string; clientId: string; clientSecret: string }

type Known = { client: string; found: Promise<Configuration>; untilMs: number }

/** Sends requests to the OpenID providers of orgs. `platform/outbound` checks all of these requests. */
export class SsoProviders {
  readonly #outbound: Outbound
  readonly #allowInsecure: boolean
  /** The results of discovery, by organization. With a result for each client id, an organization could fill the memory. */
  readonly #known = new Map<string, Known>()

  /** @param allowInsecure true: providers may use http (OUTBOUND_ALLOW_PRIVATE) */
  constructor(outbound: Outbound, allowInsecure: boolean) {
    this.#outbound = outbound
    this.#allowInsecure = allowInsecure
  }

  /**
   * The provider of a client, by its discovery document.
   * @throws Error without a valid answer
   */
  find(client: SsoClient): Promise<Configuration> {
    const { orgId } = client
    const own = this.#known.get(orgId)
    const name = JSON.stringify(client)
    if (own?.client === name && performance.now() < own.untilMs) return own.found
    const known: Known = {
      client: name,
      found: this.#discover(client),
      untilMs: performance.now() + knownMs,
    }
    this.#known.delete(orgId)
    const [oldest] = this.#known.keys()
    if (this.#known.size >= knownMax && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(orgId, known)
    known.found.catch(() => {
      known.untilMs = performance.now() + failedMs
    })
    return known.found
  }

  /** Requires that the provider answers. @throws ValidationError at issuer */
  async require(client: SsoClient): Promise<void> {
    const problem = this.#problemOf(client.issuer) ?? (await this.#faultOf(client))
    if (problem !== null) throw new ValidationError([detailAt(['body', 'issuer'], refuse(problem))])
  }

  /**
   * Requires that the provider accepts the client id and the client secret. A mistyped secret would keep out everybody who
   * must use single sign-on, also the owners. @throws ValidationError at client_secret
   */
  async requireSecret(client: SsoClient, redirectUri: string): Promise<void> {
    const { genericGrantRequest, randomPKCECodeVerifier } = await import('openid-client')
    // A provider checks the client before the code (RFC 6749, section 4.1.3). It refuses this code, which is not its own.
    const code = randomPKCECodeVerifier()
    const sent = { code, code_verifier: code, redirect_uri: redirectUri }
    const refused = await genericGrantRequest(await this.find(client), 'authorization_code', sent).catch(
      isClientRefused,
    )
    if (refused !== true) return
    const words =
      'the provider does not accept this client id with this client secret; copy both again from the provider'
    throw new ValidationError([detailAt(['body', 'client_secret'], refuse(words))])
  }

  #problemOf(issuer: string): string | null {
    const url = URL.parse(issuer)
    if (url === null) return 'this is not a URL; send one such as https://login.example.com'
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#allowInsecure))
      return `the issuer must begin with https://, but it begins with ${url.protocol.slice(0, 20)}`
    if (url.username !== '' || url.password !== '' || /[?#]/.test(issuer))
      return 'the issuer must not have a user name, a password, a query or a fragment'
    return null
  }

  async #faultOf(client: SsoClient): Promise<string | null> {
    try {
      this.#known.delete(client.orgId)
      const found = (await this.find(client)).serverMetadata()
      const missing = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter(
        (name) => typeof found[name] !== 'string',
      )
      return missing.length === 0 ? null : `the provider’s discovery document has no ${missing.join(', ')}`
    } catch (error) {
      const lost = connectionFaultOf(error)
      if (lost !== null) return `the provider does not answer: ${lost}`
      return 'the provider does not answer with a discovery document of this issuer at /.well-known/openid-configuration; copy the issuer exactly'
    }
  }

  async #discover({ orgId, issuer, clientId, clientSecret }: SsoClient): Promise<Configuration> {
    // Load it at the first use.
    const openid = await import('openid-client')
    const execute = [
      openid.enableNonRepudiationChecks,
      ...(this.#allowInsecure ? [openid.allowInsecureRequests] : []),
    ]
    return openid.discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret, [openid.clockTolerance]: 30 },
      undefined,
      {
        [openid.customFetch]: (url, options) => this.#fetch(orgId, url, options),
        execute,
        timeout: timeoutMs / 1000,
      },
    )
  }

  async #fetch(orgId: string, url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> {
    const isForm = body instanceof URLSearchParams
    const answer = await limiter.run(orgId, () =>
      this.#outbound.send({
        ...{ method: method as 'GET' | 'POST', url, timeoutMs, maxBytes },
        headers: { ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}), ...headers },
        ...(isForm || typeof body === 'string' ? { body: body.toString() } : {}),
      }),
    )
    return readProviderAnswer(orgId, answer)
  }
}

/** The errors of a provider that does not accept the client id or the secret (RFC 6749, section 5.2). */
const clientErrors: readonly unknown[] = ['invalid_client', 'unauthorized_client']

/** Whether an error says that a provider does not accept the client id or the secret. */
export const isClientRefused = (error: unknown): boolean =>
  error instanceof Error && 'error' in error && clientErrors.includes(error.error)

/** Why a provider could not be reached, or its answer was lost; null if it answered. */
export function connectionFaultOf(error: unknown): string | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof RequestNotSent || each instanceof AnswerLost || each instanceof OrgBusy)
      return each.message
  return null
}
