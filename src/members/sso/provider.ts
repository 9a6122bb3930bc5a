import type { Configuration, CustomFetchOptions } from 'openid-client'
import { refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { AnswerLost, RequestNotSent } from '../../platform/outbound/errors.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'

const timeoutMs = 10_000
const maxBytes = 256 * 1024
const knownMs = 300_000
const knownMax = 1_000

export type SsoClient = { issuer: string; clientId: string; clientSecret: string }

/** Sends requests to the OpenID providers of orgs. All of them are checked by `platform/outbound`. */
export class SsoProviders {
  readonly #outbound: Outbound
  readonly #allowInsecure: boolean
  /** The results of discovery, by client, for 5 minutes. */
  readonly #known = new Map<string, { found: Promise<Configuration>; untilMs: number }>()

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
    const key = JSON.stringify(client)
    const known = this.#known.get(key)
    if (known && performance.now() < known.untilMs) return known.found
    const found = this.#discover(client)
    if (this.#known.size >= knownMax) this.#known.clear()
    this.#known.set(key, { found, untilMs: performance.now() + knownMs })
    found.catch(() => this.#known.delete(key))
    return found
  }

  /** Requires that the provider answers. @throws ValidationError at issuer */
  async require(client: SsoClient): Promise<void> {
    const problem = this.#problemOf(client.issuer) ?? (await this.#faultOf(client))
    if (problem !== null) throw new ValidationError([detailAt(['body', 'issuer'], refuse(problem))])
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
      this.#known.delete(JSON.stringify(client))
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

  async #discover({ issuer, clientId, clientSecret }: SsoClient): Promise<Configuration> {
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
        [openid.customFetch]: (url, options) => this.#fetch(url, options),
        execute,
        timeout: timeoutMs / 1000,
      },
    )
  }

  async #fetch(url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> {
    const isForm = body instanceof URLSearchParams
    const {
      status,
      headers: answered,
      body: answer,
    } = await this.#outbound.send({
      ...{ method: method as 'GET' | 'POST', url, timeoutMs, maxBytes },
      headers: { ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}), ...headers },
      ...(isForm || typeof body === 'string' ? { body: body.toString() } : {}),
    })
    const shown = Object.entries(answered).filter(([, value]) => typeof value === 'string') as [
      string,
      string,
    ][]
    const hasBody = ![204, 205, 304].includes(status)
    return new Response(hasBody ? new Uint8Array(answer) : null, { status, headers: shown })
  }
}

/** Why a provider could not be reached, or its answer was lost; null if it answered. */
export function connectionFaultOf(error: unknown): string | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof RequestNotSent || each instanceof AnswerLost) return each.message
  return null
}
