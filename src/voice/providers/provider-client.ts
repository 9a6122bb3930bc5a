import { shorten } from '../../platform/outbound/answers.ts'
import { AnswerLost, RequestNotSent } from '../../platform/outbound/errors.ts'
import type { OutboundRequest } from '../../platform/outbound/outbound.ts'
import { parseUntrustedJson, type UntrustedLimits } from '../../platform/outbound/untrusted-json.ts'
import { type DispatchOutcome, Unreachable, type VoiceProviderDeps } from './provider.ts'

/** An answer. `json`: undefined if the body is not JSON, or too long. `text`: the start of the body. */
export type ProviderReply = { status: number; json: unknown; text: string }

type Refused = Extract<DispatchOutcome, { outcome: 'refused' }>
type Unknown = Extract<DispatchOutcome, { outcome: 'unknown' }>

/** The maximum length of a provider's code of an error. */
const codeMax = 100

/** The outcome of a dispatch that made no phone ring. */
export const refusedOutcome = (code: string, message: string): Refused => ({
  outcome: 'refused',
  code: shorten(code).slice(0, codeMax).toWellFormed(),
  message: shorten(message),
})

/** The outcome of a dispatch that may have made a phone ring. */
export const unknownOutcome = (reason: string): Unknown => ({ outcome: 'unknown', reason: shorten(reason) })

/** The time limit of requests that make no phone ring. */
export const questionTimeoutMs = 15_000

const textBytes = 4_096
/** A longer error is not parsed: errors of providers are short, and parsing 256 KiB takes milliseconds. */
const errorBytesMax = 16 * 1024
/** An honest answer that repeats what was sent, with each character escaped, is shorter. A longer one is not parsed. */
const repeatedBytesMax = (sent: OutboundRequest['body']): number =>
  32 * 1024 + 4 * Buffer.byteLength(sent ?? '')
/** How much is read of an answer that does not matter. */
const ignoredBytesMax = 1_024

export type ProviderClientOptions = Pick<VoiceProviderDeps, 'outbound' | 'owner'> & {
  vendor: string
  secrets: readonly string[]
  limits?: UntrustedLimits & {
    /** Whether the answer to an attempt has little more than what the request sent. */
    onlyRepeats?: boolean
  }
}

/** Sends the requests of an adapter, and hides the secrets of the organization in the answers. */
export class ProviderClient {
  readonly vendor: string
  readonly #outbound: VoiceProviderDeps['outbound']
  readonly #owner: string
  readonly #secrets: readonly string[]
  readonly #limits: NonNullable<ProviderClientOptions['limits']>

  constructor({ vendor, outbound, owner, secrets, limits = {} }: ProviderClientOptions) {
    this.vendor = vendor
    this.#outbound = outbound
    this.#owner = owner
    this.#limits = limits
    // Do not hide a shorter secret: it could be part of an ordinary word.
    this.#secrets = secrets.filter((secret) => secret.length >= 6)
  }

  /** Sends, once, a request that may make a phone ring. Never throws: a failure is an outcome. */
  async attempt(
    request: OutboundRequest,
    ...moreSecrets: string[]
  ): Promise<{ reply: ProviderReply } | Refused | Unknown> {
    try {
      const bytesMax = this.#limits.onlyRepeats ? repeatedBytesMax(request.body) : Number.POSITIVE_INFINITY
      return { reply: await this.#read(await this.#outbound.send(request), moreSecrets, bytesMax) }
    } catch (error) {
      if (error instanceof RequestNotSent) return refusedOutcome('unreachable', error.message)
      return unknownOutcome(error instanceof AnswerLost ? error.message : `${this.vendor} could not be asked`)
    }
  }

  /** Sends, once, a request whose answer does not matter. Never throws. */
  async tell(request: OutboundRequest): Promise<void> {
    await this.#outbound.send({ ...request, maxBytes: ignoredBytesMax }).catch(() => {})
  }

  /**
   * Sends a request that makes no phone ring. Returns answers below 500.
   * @throws Unreachable
   */
  async ask(request: OutboundRequest): Promise<ProviderReply> {
    let reply: ProviderReply
    try {
      reply = await this.#read(await this.#outbound.send(request), [])
    } catch (error) {
      const known = error instanceof RequestNotSent || error instanceof AnswerLost
      throw new Unreachable(known ? error.message : `${this.vendor} could not be asked`)
    }
    if (reply.status >= 500) throw this.unclear(reply)
    return reply
  }

  unclear({ status }: ProviderReply): Unreachable {
    return new Unreachable(`${this.vendor} answered ${status}, and not with the expected body`)
  }

  /** The outcome of a dispatch that was answered with an error status. */
  failed({ status, text }: ProviderReply, code: string | null, message: string | null): Refused | Unknown {
    if (status < 400 || status >= 500) return unknownOutcome(`${this.vendor} answered ${status}`)
    return refusedOutcome(
      code ?? `http_${status}`,
      message ?? (text.trim() || `${this.vendor} answered ${status}`),
    )
  }

  async #read(
    { status, body }: { status: number; body: Buffer },
    moreSecrets: string[],
    bytesMax = Number.POSITIVE_INFINITY,
  ): Promise<ProviderReply> {
    const secrets = [...this.#secrets, ...moreSecrets]
    const shown = secrets.some((secret) => body.includes(secret))
      ? Buffer.from(secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), body.toString()))
      : body
    const isTooLong = shown.length > (status >= 400 ? errorBytesMax : bytesMax)
    const json = isTooLong ? undefined : await parseUntrustedJson(this.#owner, shown, this.#limits)
    return { status, json, text: shown.toString('utf8', 0, textBytes) }
  }
}

/** The value if it is text and not empty; otherwise null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value ? value : null)

/** The value if it is a list; otherwise an empty list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
