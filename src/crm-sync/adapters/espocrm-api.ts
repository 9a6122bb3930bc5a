import { jsonOf, membersOf, secondsOf, shorten } from '../../platform/outbound/answers.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { AccessRefused, Unavailable, Unusable } from './adapter.ts'
import { askOnce } from './ask-once.ts'

const timeoutMs = 20_000
/**
 * The metadata of one object, with extensions; records are smaller. Whoever runs the server may have it answer what they
 * like, and JSON takes 15 times its length, several times over.
 */
const [metadataMaxBytes, maxBytes] = [4 * 1024 ** 2, 1024 ** 2]

export type EspoReply = { status: number; json: unknown; statusReason: string; location: string }

/** EspoCRM's REST API at an address that an organization gave, with its API key. */
export class EspoApi {
  readonly #outbound: Outbound
  readonly #base: string
  readonly #apiKey: string

  constructor(outbound: Outbound, url: string, apiKey: string) {
    this.#outbound = outbound
    this.#base = `${url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`
    this.#apiKey = apiKey
  }

  /**
   * Asks once; what was asked may be asked again.
   * @throws Unavailable if there is no whole answer, or EspoCRM is busy; AccessRefused
   */
  async ask(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EspoReply> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await askOnce(this.#outbound, {
      ...{ method, url: this.#base + path, timeoutMs, ...sent },
      maxBytes: path.startsWith('/Metadata?') ? metadataMaxBytes : maxBytes,
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
        'EspoCRM does not take the API key: it may have been changed, or its user disabled',
      )
    if (status === 408 || status === 429 || status >= 500)
      throw new Unavailable(
        `EspoCRM is busy or broken (status ${status}${statusReason && `: ${shorten(statusReason)}`})`,
        secondsOf(header('retry-after')),
      )
    const json = jsonOf(this.#hide(answer.body.toString()))
    if (json === undefined && status < 300) {
      if (/html/.test(header('content-type')))
        throw new Unusable(`${this.#base} is not EspoCRM’s API: ${checkUrl}`)
      throw missing('whole JSON')
    }
    return { status, json, statusReason, location: header('location') }
  }

  /** Takes the key out of what EspoCRM says, should it repeat it: as it is, or as JSON has it. */
  #hide(text: string): string {
    // One so short is in words that are none.
    if (this.#apiKey.length < secretLeast) return text
    return [this.#apiKey, JSON.stringify(this.#apiKey).slice(1, -1)].reduce(
      (shown, secret) => shown.replaceAll(secret, '…'),
      text,
    )
  }

  /** What was found. @throws Unusable in words */
  expect(reply: EspoReply, what: string): EspoReply {
    const { status, location } = reply
    if (status >= 200 && status < 300) return reply
    if (status === 403)
      throw new Unusable(`EspoCRM refuses ${what} to this API user: ${reasonOf(reply)} ${giveRole}`)
    if (status === 404)
      throw new Unusable(
        `There is no ${what} at ${this.#base}: ${checkUrl}, and the access of the API user’s role`,
      )
    if (status >= 300 && status < 400)
      throw new Unusable(`${this.#base} redirects to ${shorten(location)}: ${checkUrl}`)
    throw new Unusable(`EspoCRM does not answer for ${what}: ${reasonOf(reply)}`)
  }
}

/** Characters; EspoCRM's own have 32. */
const secretLeast = 12

const checkUrl = 'check the url of the connection'
const giveRole = '(Administration > Roles).'

/** An answer that is not what it should be: half of it may be lost. */
export const missing = (what: string) => new Unavailable(`EspoCRM answered without ${what}`)

/** The id of a record. @throws Unavailable */
export function idIn(record: unknown): string {
  const { id } = membersOf(record)
  if (typeof id !== 'string' || id === '') throw missing('the record')
  return id
}

const failures: Readonly<Record<string, string>> = {
  required: 'is required',
  maxLength: 'is too long',
  valid: 'has a value that it does not allow',
  array: 'has a value that it does not allow',
  pattern: 'does not have the form that is asked for',
  emailAddress: 'is no e-mail address that it takes',
}

/** What an answer says of why (Espo\Core\Exceptions\Error\Body; X-Status-Reason). */
export function reasonOf({ status, json, statusReason }: EspoReply): string {
  const translation = membersOf(membersOf(json).messageTranslation)
  const { field, type } = membersOf(translation.data)
  if (typeof field === 'string') {
    const known = failures[String(type)] ?? 'is not what it takes'
    return shorten(`${field} ${known}${type === undefined ? '' : ` (${type})`}.`)
  }
  const words = typeof translation.label === 'string' ? translation.label : statusReason
  return shorten(words === '' ? `status ${status}.` : words)
}
