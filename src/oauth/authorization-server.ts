import { generateKeyPairSync } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { isLoopbackHost } from '../platform/loopback.ts'
import type { ProviderParts } from './provider.ts'

/** The addresses of this machine: a few host names with one port. */
const issuersMax = 8

/**
 * The authorization server. Its issuer is PUBLIC_URL; without one, the address of this machine that the request names.
 */
export class AuthorizationServer {
  readonly #providers = new Map<string, Promise<Provider>>()
  readonly #parts: ProviderParts
  readonly #publicUrl: string | null

  constructor(parts: ProviderParts, publicUrl: string | null) {
    this.#parts = parts
    this.#publicUrl = publicUrl?.replace(/\/$/, '') ?? null
  }

  /** The issuer for a host; null if apps cannot sign in there. Sign-in needs https, or a name of this machine. */
  issuerAt(host: string): string | null {
    const own = this.#publicUrl
    if (own !== null) {
      const { protocol, host: ownHost } = new URL(own)
      return protocol === 'https:' || isLoopbackHost(ownHost) ? own : null
    }
    return isLoopbackHost(host) ? `http://${host.toLowerCase()}` : null
  }

  /**
   * Makes the provider of PUBLIC_URL before the first request, because loading the library blocks the thread for 100 ms.
   * Without https, only apps on this machine can sign in: the first of them loads the library.
   */
  async prepare(): Promise<void> {
    if (this.#publicUrl === null || !this.#publicUrl.startsWith('https:')) return
    await this.provider(this.#publicUrl)
  }

  issuerOf(request: FastifyRequest): string | null {
    return this.issuerAt(request.host)
  }

  provider(issuer: string): Promise<Provider> {
    const known = this.#providers.get(issuer)
    if (known) return known
    if (this.#providers.size >= issuersMax) this.#providers.clear()
    const made = loadProvider().then((create) => create(issuer, this.#parts))
    this.#providers.set(issuer, made)
    return made
  }
}

/** A key for the JWKS that clients may read. Tokens are opaque, so nothing is ever signed with it. */
export function unusedSigningKey(): JsonWebKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }
}

/** The library prints a warning if Node is not an LTS version. */
async function loadProvider() {
  const { warn } = console
  console.warn = () => {}
  try {
    return (await import('./provider.ts')).createProvider
  } finally {
    console.warn = warn
  }
}
