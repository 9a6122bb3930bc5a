import { jsonOf, secondsOf, shorten } from '../../platform/outbound/answers.ts'
import { AnswerLost, NeverReached } from '../../platform/outbound/errors.ts'
import type { Outbound, OutboundRequest } from '../../platform/outbound/outbound.ts'
import type { Outcome } from './provider.ts'

/** What Google answered: its JSON, undefined where it is none. */
export type Reply = { status: number; json: unknown; retryAfter: number | undefined }

/** Why something did not come about, as an outcome. */
export type Fault = { fault: Extract<Outcome, { outcome: 'failed' | 'later' }> }

export const refused = (message: string): Fault => ({
  fault: { outcome: 'failed', message: withoutTokens(message) },
})

export const later = (message: string, { retryAfter }: Pick<Reply, 'retryAfter'>): Fault => ({
  fault: {
    outcome: 'later',
    message: withoutTokens(message),
    ...(retryAfter === undefined ? {} : { afterSeconds: retryAfter }),
  },
})

/** Asks once what may be asked again. Never throws. */
export async function askGoogle(outbound: Outbound, request: OutboundRequest): Promise<Reply | Fault> {
  try {
    const { status, headers, body } = await outbound.send(request)
    return { status, json: jsonOf(body), retryAfter: secondsOf(headers['retry-after']) }
  } catch (error) {
    const known = error instanceof NeverReached || error instanceof AnswerLost
    return later(known ? error.message : 'Google could not be asked', { retryAfter: undefined })
  }
}

/** Whether this is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As it may be shown: an answer may repeat the tokens that it was asked with. */
const withoutTokens = (text: string) =>
  shorten(text.replaceAll(/\beyJ[\w-]+(\.[\w-]*)*|\bya29\.[^\s"',&]+/g, '…'))
