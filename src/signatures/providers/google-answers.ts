import { AnswerLost, NeverReached } from '../../platform/outbound/errors.ts'
import type { Outbound, OutboundRequest } from '../../platform/outbound/outbound.ts'
import type { Outcome } from './provider.ts'

/** What Google answered: its JSON, undefined where it is none. */
export type Reply = { status: number; json: unknown; retryAfter: number | undefined }

/** Why something did not come about, as an outcome. */
export type Fault = { fault: Extract<Outcome, { outcome: 'failed' | 'later' }> }

export const refused = (message: string): Fault => ({
  fault: { outcome: 'failed', message: shorten(message) },
})

export const later = (message: string, { retryAfter }: Pick<Reply, 'retryAfter'>): Fault => ({
  fault: {
    outcome: 'later',
    message: shorten(message),
    ...(retryAfter === undefined ? {} : { afterSeconds: retryAfter }),
  },
})

/** Asks once what may be asked again. Never throws. */
export async function askGoogle(outbound: Outbound, request: OutboundRequest): Promise<Reply | Fault> {
  try {
    const { status, headers, body } = await outbound.send(request)
    return { status, json: parse(body), retryAfter: secondsOf(headers['retry-after']) }
  } catch (error) {
    const known = error instanceof NeverReached || error instanceof AnswerLost
    return later(known ? error.message : 'Google could not be asked', { retryAfter: undefined })
  }
}

/** Whether this is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of a JSON object; none of anything else. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

/** Retry-After in seconds (RFC 9110, section 10.2.3). */
function secondsOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\s*\d{1,6}\s*$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** On one line, not endless, and without tokens: an answer may repeat what it was asked with. */
function shorten(text: string): string {
  const line = text
    .replaceAll(/\beyJ[\w-]+(\.[\w-]*)*|\bya29\.[^\s"',&]+/g, '…')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.length <= 500 ? line : `${line.slice(0, 499)}…`
}
