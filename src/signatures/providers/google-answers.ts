import { retryAfterSeconds, shorten } from '../../platform/outbound/answers.ts'
import { AnswerLost, RequestNotSent } from '../../platform/outbound/errors.ts'
import type { Outbound, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { parseUntrustedJson } from '../../platform/outbound/untrusted-json.ts'
import type { PushOutcome } from './provider.ts'

/** An answer of Google; `json` is undefined if the body is not JSON. */
export type GoogleReply = { status: number; json: unknown; retryAfter: number | undefined }

/** Why a request failed, as an outcome. */
export type GoogleFault = { fault: Extract<PushOutcome, { outcome: 'failed' | 'later' }> }

/** A failed push, with Google’s message without tokens. */
export const refusedByGoogle = (message: string): GoogleFault => ({
  fault: { outcome: 'failed', code: 'provider_refused', message: withoutTokens(message) },
})

/** A push to retry, after the time that Google asked for in Retry-After. The message has no tokens. */
export const retryLater = (
  message: string,
  { retryAfter }: Pick<GoogleReply, 'retryAfter'>,
): GoogleFault => ({
  fault: {
    outcome: 'later',
    code: 'provider_unavailable',
    message: withoutTokens(message),
    ...(retryAfter === undefined ? {} : { afterSeconds: retryAfter }),
  },
})

/** The way to Google. `owner` is the organization whose thread time parses the answers. */
export type GoogleAccess = { outbound: Outbound; owner: string }

/** Sends a request once. It must be safe to repeat. Never throws. */
export async function askGoogle(
  { outbound, owner }: GoogleAccess,
  request: OutboundRequest,
): Promise<GoogleReply | GoogleFault> {
  try {
    const { status, headers, body } = await outbound.send(request)
    const json = await parseUntrustedJson(owner, body)
    return { status, json, retryAfter: retryAfterSeconds(headers['retry-after']) }
  } catch (error) {
    const known = error instanceof RequestNotSent || error instanceof AnswerLost
    return retryLater(known ? error.message : 'The request to Google failed', { retryAfter: undefined })
  }
}

/** Removes tokens, which Google's answers may repeat. */
const withoutTokens = (text: string) =>
  shorten(text.replaceAll(/\beyJ[\w-]+(\.[\w-]*)*|\bya29\.[^\s"',&]+/g, '…'))
