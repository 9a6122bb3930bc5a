import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Claims = Record<string, unknown>

/** The changes that a test makes in valid answers. */
export type Misbehavior = {
  /** The `iss` of the authorization response; null: none. */
  iss?: string | null
  /** An error of the authorization response. */
  error?: string
  /** Members of the ID token. */
  token?: Claims
  /** Signs the ID token with another key. */
  forges?: boolean
  /** Members of the discovery document. */
  discovery?: Claims
}

type Code = { redirectUri: string; challenge: string; nonce: string; authTime: number }

const base64 = (value: string | Buffer) => Buffer.from(value).toString('base64url')
const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/**
 * An OpenID provider (OpenID Connect Core, authorization code flow with PKCE). Its people consent to every request.
 */
export class OidcProvider {
  clientId = 'crosswalk'
  clientSecret = 'a secret of the provider: ü&='
  issuer = ''
  /** The person who is signed in at the provider. */
  person: Claims = {}
  misbehavior: Misbehavior = {}
  /** The paths that were asked for. */
  readonly asked: string[] = []
  /** The number of requests for `/never` that wait for an answer. */
  waiting = 0
  readonly #keys = newKeys()
  readonly #otherKeys = newKeys()
  readonly #codes = new Map<string, Code>()
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error) => response.writeHead(500).end(String(error)))
  })

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Acts as the browser at the authorization endpoint. Returns the address to which it is redirected. */
  async authorize(url: string): Promise<URL> {
    const { headers, status } = await fetch(url, { redirect: 'manual' })
    if (status !== 302) throw new Error(`The provider answered ${status}`)
    return new URL(headers.get('location') ?? '')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer)
    this.asked.push(url.pathname)
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return void json(200, {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
          ...this.misbehavior.discovery,
        })
      case '/jwks':
        return void json(200, {
          keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
        })
      case '/authorize':
        return void response.writeHead(302, { location: this.#codeFor(url.searchParams) }).end()
      case '/token': {
        const answer = this.#redeem(request, new URLSearchParams(await textOf(request)))
        return void json(answer.error ? 400 : 200, answer)
      }
      case '/never':
        this.waiting++
        return void response.on('close', () => this.waiting--)
      default:
        response.writeHead(404).end()
    }
  }

  #codeFor(asked: URLSearchParams): string {
    const code = randomBytes(16).toString('hex')
    const { iss = this.issuer, error } = this.misbehavior
    if (asked.get('code_challenge_method') !== 'S256') throw new Error('There is no PKCE')
    this.#codes.set(code, {
      redirectUri: asked.get('redirect_uri') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      nonce: asked.get('nonce') ?? '',
      authTime: Math.floor(Date.now() / 1000),
    })
    const back = new URL(asked.get('redirect_uri') ?? '')
    if (error) back.searchParams.set('error', error)
    else back.searchParams.set('code', code)
    back.searchParams.set('state', asked.get('state') ?? '')
    back.searchParams.set('session_state', 'of no interest')
    if (iss !== null) back.searchParams.set('iss', iss)
    return back.href
  }

  #redeem({ headers }: IncomingMessage, sent: URLSearchParams): Claims {
    const code = this.#codes.get(sent.get('code') ?? '')
    this.#codes.delete(sent.get('code') ?? '')
    if (!this.#isClient(headers.authorization, sent)) return { error: 'invalid_client' }
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || code.challenge !== challenge || code.redirectUri !== sent.get('redirect_uri'))
      return { error: 'invalid_grant' }
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      ...{ iss: this.issuer, aud: this.clientId, iat: now, exp: now + 300 },
      ...{ nonce: code.nonce, auth_time: code.authTime },
      ...this.person,
      ...this.misbehavior.token,
    }
    const key = this.misbehavior.forges ? this.#otherKeys.privateKey : this.#keys.privateKey
    return { access_token: 'of no use', token_type: 'Bearer', id_token: jwt(claims, key) }
  }

  #isClient(authorization: string | undefined, sent: URLSearchParams): boolean {
    const [id, secret] = authorization
      ? Buffer.from(authorization.slice(6), 'base64')
          .toString()
          .split(':')
          .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      : [sent.get('client_id'), sent.get('client_secret')]
    return id === this.clientId && secret === this.clientSecret
  }
}

function jwt(claims: Claims, key: KeyObject): string {
  const signed = `${base64(JSON.stringify({ alg: 'RS256', kid: 'one' }))}.${base64(JSON.stringify(claims))}`
  return `${signed}.${base64(sign('sha256', Buffer.from(signed), key))}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
