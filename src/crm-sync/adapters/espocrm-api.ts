import { membersOf } from '../../platform/members.ts'
import { retryAfterSeconds, shorten } from '../../platform/outbound/answers.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { parseUntrustedJson } from '../../platform/outbound/untrusted-json.ts'
import { AccessRefused, CrmSetupError, Unavailable } from './adapter.ts'
import { type EspoReply, reasonOf } from './espocrm-reasons.ts'
import { sendOnce } from './send-once.ts'

const timeoutMs = 20_000
/**
 * The maximum size of an answer in bytes: for metadata, and for a record. Parsed JSON needs 15 times its length in
 * memory, and anyone can run an EspoCRM server.
 */
const [metadataMaxBytes, maxBytes] = [4 * 1024 ** 2, 1024 ** 2]
const isMetadata = (path: string) => path.startsWith('/Metadata?') || path === '/App/user'

/** EspoCRM's REST API with the key of an API user, which is hidden in EspoCRM's messages. */
export class EspoApi {
  readonly #outbound: Outbound
  readonly #owner: string
  readonly #base: string
  readonly #apiKey: string
  readonly #hidden: readonly string[]

  /** @param owner the organization whose thread time parses the answers */
  constructor(outbound: Outbound, owner: string, url: string, apiKey: string) {
    this.#outbound = outbound
    this.#owner = owner
    this.#base = `${url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`
    this.#apiKey = apiKey
    // Do not hide a shorter secret: it could be part of an ordinary word.
    const isHidden = apiKey.length >= hiddenSecretMin
    this.#hidden = isHidden ? [apiKey, JSON.stringify(apiKey).slice(1, -1)] : []
  }

  /**
   * Sends a request once. The caller may repeat it.
   * @throws Unavailable if no complete answer came, or if EspoCRM is busy; AccessRefused
   */
  async ask(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EspoReply> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await sendOnce(this.#outbound, {
      ...{ method, url: this.#base + path, timeoutMs, ...sent },
      maxBytes: isMetadata(path) ? metadataMaxBytes : maxBytes,
      headers: { ...headers, ...type, 'x-api-key': this.#apiKey },
    })
    const { status } = answer
    const header = (name: string) => {
      const value = answer.headers[name]
      return typeof value === 'string' ? this.#hide(value) : ''
    }
    const statusReason = header('x-status-reason')
    if (status === 401)
      throw new AccessRefused(
        'EspoCRM refuses the API key: the key may have been changed, or its user disabled',
      )
    if (status === 408 || status === 429 || status >= 500)
      throw new Unavailable(
        `EspoCRM is busy or broken (status ${status}${statusReason && `: ${shorten(statusReason)}`})`,
        retryAfterSeconds(header('retry-after')),
      )
    const json = await parseUntrustedJson(this.#owner, this.#hideInBody(answer.body))
    // An empty body means that the API user's role has no access to the entity.
    const isEmpty = path.startsWith('/Metadata?') && answer.body.length === 0
    if (json === undefined && status < 300 && !isEmpty) {
      if (/html/.test(header('content-type')))
        throw new CrmSetupError(`${this.#base} is not EspoCRM’s API: ${checkUrl}`)
      throw incompleteAnswer('whole JSON')
    }
    return { status, json, statusReason, location: header('location') }
  }

  /** Removes the API key from EspoCRM's messages, even in its JSON-escaped form. */
  #hide(text: string): string {
    return this.#hidden.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
  }

  /** Large answers do not contain the key: to copy them would take 10 ms. */
  #hideInBody(body: Buffer): Buffer {
    const hidden = this.#hidden.some((secret) => body.includes(secret))
    return hidden ? Buffer.from(this.#hide(body.toString())) : body
  }

  /** Returns a successful answer. @throws CrmSetupError with a text for people */
  expect(reply: EspoReply, what: string): EspoReply {
    const { status, location } = reply
    if (status >= 200 && status < 300) return reply
    if (status === 403)
      throw new CrmSetupError(`EspoCRM refuses ${what} to this API user: ${reasonOf(reply)} ${rolesHint}`)
    if (status === 404)
      throw new CrmSetupError(
        `There is no ${what} at ${this.#base}: ${checkUrl}, and the access of the API user’s role`,
      )
    if (status >= 300 && status < 400)
      throw new CrmSetupError(`${this.#base} redirects to ${shorten(location)}: ${checkUrl}`)
    throw new CrmSetupError(`EspoCRM gave no answer about ${what}: ${reasonOf(reply)}`)
  }
}

/** The minimum length of a secret that is hidden. EspoCRM's API keys have 32 characters. */
const hiddenSecretMin = 12

const checkUrl = 'check the url of the connection'
const rolesHint = '(Administration > Roles).'

/** The error for an answer of EspoCRM that lacks `what`. */
export const incompleteAnswer = (what: string) => new Unavailable(`EspoCRM answered without ${what}`)

/** Returns the id of a record. @throws Unavailable */
export function idIn(record: unknown): string {
  const { id } = membersOf(record)
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) throw incompleteAnswer('the record')
  return id
}
