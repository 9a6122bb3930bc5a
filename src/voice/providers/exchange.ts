import { jsonOf, shorten } from '../../platform/outbound/answers.ts'
import { AnswerLost, NeverReached } from '../../platform/outbound/errors.ts'
import type { Outbound, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { type DispatchOutcome, Unreachable } from './provider.ts'

/** An answer: its JSON, undefined where it is none. */
export type Reply = { status: number; json: unknown; text: string }

type Refused = Extract<DispatchOutcome, { outcome: 'refused' }>
type Unknown = Extract<DispatchOutcome, { outcome: 'unknown' }>

export const refused = (code: string, message: string): Refused => ({
  outcome: 'refused',
  code,
  message: shorten(message),
})

export const unknown = (reason: string): Unknown => ({ outcome: 'unknown', reason: shorten(reason) })

/** How long a question may take that rings nothing. */
export const questionMs = 15_000

/** A provider by its name and the way to it; `secrets` are taken out of all that it says. */
export class Exchange {
  readonly vendor: string
  readonly #outbound: Outbound
  readonly #secrets: readonly string[]

  constructor(vendor: string, outbound: Outbound, secrets: readonly string[]) {
    this.vendor = vendor
    this.#outbound = outbound
    // A secret of a few characters would turn up everywhere.
    this.#secrets = secrets.filter((secret) => secret.length >= 6)
  }

  /** Sends once what may ring a phone. Never throws: an answer, or what it means that there is none. */
  async attempt(
    request: OutboundRequest,
    ...moreSecrets: string[]
  ): Promise<{ reply: Reply } | Refused | Unknown> {
    try {
      return { reply: this.#read(await this.#outbound.send(request), moreSecrets) }
    } catch (error) {
      if (error instanceof NeverReached) return refused('unreachable', error.message)
      return unknown(error instanceof AnswerLost ? error.message : `${this.vendor} could not be asked`)
    }
  }

  /** Asks what rings nothing; an answer of any status below 500. @throws Unreachable */
  async ask(request: OutboundRequest): Promise<Reply> {
    let reply: Reply
    try {
      reply = this.#read(await this.#outbound.send(request), [])
    } catch (error) {
      const known = error instanceof NeverReached || error instanceof AnswerLost
      throw new Unreachable(known ? error.message : `${this.vendor} could not be asked`)
    }
    if (reply.status >= 500) throw this.silent(reply)
    return reply
  }

  /** What to throw at an answer that does not say what was asked. */
  silent({ status }: Reply): Unreachable {
    return new Unreachable(`${this.vendor} answered ${status}, and not what was asked`)
  }

  /** What a status says that is none of success. */
  judge({ status, text }: Reply, code: string | null, message: string | null): Refused | Unknown {
    if (status < 400 || status >= 500) return unknown(`${this.vendor} answered ${status}`)
    return refused(code ?? `http_${status}`, message ?? (text.trim() || `${this.vendor} answered ${status}`))
  }

  #read({ status, body }: { status: number; body: Buffer }, moreSecrets: string[]): Reply {
    const text = [...this.#secrets, ...moreSecrets].reduce(
      (read, secret) => read.replaceAll(secret, '[redacted]'),
      body.toString(),
    )
    return { status, json: jsonOf(text), text }
  }
}

/** A text that is not empty; null otherwise. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value ? value : null)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
