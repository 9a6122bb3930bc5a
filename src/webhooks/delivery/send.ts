import { type OutboundAnswer, retryAfterSeconds, shorten } from '../../platform/outbound/answers.ts'
import { AnswerLost, RequestNotSent } from '../../platform/outbound/errors.ts'
import type { OutboundSession } from '../../platform/outbound/session.ts'
import { type NewSpan, tracedAfter } from '../../platform/tracing/trace.ts'
import { version } from '../../platform/version.ts'
import { type AnswerMeaning, meaningOfStatus } from './outcome.ts'
import { signatureOf } from './sign.ts'

/** The time limit of a try. */
const tryMs = 15_000
/** How much of an answer is read. A longer answer counts as no answer. */
export const answerBytesMax = 16_384
const excerptBytes = 512

/** Where the requests of an endpoint go, and what signs them. */
export type DeliveryTarget = {
  endpointId: string
  session: OutboundSession
  /** The path and the query of its URL. */
  path: string
  /** The organization's own headers. They replace no header of Crosswalk. */
  headers: Readonly<Record<string, string>>
  secrets: readonly Buffer[]
}

export type Sending = {
  eventId: string
  body: string
  /** The number of the try, from 1. */
  number: number
  /** The recorded span that caused the event. */
  traceparent: string | null
}

/** One try to deliver an event. */
export type Trial = {
  meaning: AnswerMeaning
  /** null without a complete answer. */
  status: number | null
  /** Why there was no answer, or why the answer was invalid; null if the status explains the failure. */
  error: string | null
  /** The start of the answer to a failed try. */
  excerpt: string | null
  /** The seconds that the receiver asked to wait. */
  retryAfter: number | undefined
  /** When the try began, in Unix milliseconds. */
  startedAt: number
  durationMs: number
}

/** Sends an event once. Faults of the receiver do not throw. */
export function tryDelivery(target: DeliveryTarget, sending: Sending): Promise<Trial> {
  const { endpointId } = target
  const describe = (): NewSpan => ({
    name: 'POST webhook',
    kind: 'client',
    attributes: {
      ...{ 'http.request.method': 'POST', 'crosswalk.webhook.endpoint_id': endpointId },
      ...{ 'crosswalk.event_id': sending.eventId, 'crosswalk.webhook.attempt': sending.number },
    },
  })
  return tracedAfter(sending.traceparent, describe, async (span) => {
    const trial = await post(target, { ...sending, traceparent: span?.traceparent ?? null })
    if (trial.status !== null) span?.set({ 'http.response.status_code': trial.status })
    if (trial.meaning !== 'delivered') span?.fail({ name: String(trial.status ?? 'no answer') })
    return trial
  })
}

async function post(target: DeliveryTarget, sending: Sending): Promise<Trial> {
  const startedAt = Date.now()
  const started = performance.now()
  const timed = () => ({ startedAt, durationMs: Math.round(performance.now() - started) })
  try {
    const { path, session } = target
    const headers = headersOf(target, sending, Math.floor(startedAt / 1000))
    const answer = await session.post({ path, headers, body: sending.body, timeoutMs: tryMs })
    return { ...readAnswer(answer), ...timed() }
  } catch (error) {
    if (!(error instanceof RequestNotSent || error instanceof AnswerLost)) throw error
    const lost = { status: null, excerpt: null, retryAfter: undefined }
    return { meaning: meaningOfStatus(null), error: shorten(error.message), ...lost, ...timed() }
  }
}

function headersOf(
  { endpointId, headers, secrets }: DeliveryTarget,
  { eventId: id, body, number, traceparent }: Sending,
  timestamp: number,
): Record<string, string> {
  return {
    ...headers,
    'content-type': 'application/json',
    'user-agent': `Crosswalk/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secrets, { id, timestamp, body }),
    'crosswalk-endpoint-id': endpointId,
    'crosswalk-attempt': String(number),
    ...(traceparent === null ? {} : { traceparent }),
  }
}

function readAnswer({ status, headers, body }: OutboundAnswer): Omit<Trial, 'startedAt' | 'durationMs'> {
  const meaning = meaningOfStatus(status)
  if (meaning === 'delivered') return { meaning, status, error: null, excerpt: null, retryAfter: undefined }
  const isRedirect = status >= 300 && status < 400
  return {
    ...{ meaning, status },
    error: isRedirect ? 'redirects are not followed; set the URL of the endpoint to the new address' : null,
    excerpt: shorten(body.subarray(0, excerptBytes).toString()) || null,
    retryAfter: retryAfterSeconds(headers['retry-after']),
  }
}
