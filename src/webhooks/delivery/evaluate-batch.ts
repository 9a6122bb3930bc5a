import type { WebhookEndpoint } from '../schema.ts'
import type { BatchEvent, BatchEventResult } from './batch.ts'
import {
  type AnswerMeaning,
  failuresMax,
  isDisabledBy,
  probeWait,
  refusedMax,
  retryWait,
  waitingMax,
} from './outcome.ts'

/** An endpoint's state after its last tries. Times are in Unix milliseconds. */
export type Health = {
  readonly status: 'enabled' | 'failing' | 'disabled'
  readonly disabledReason: WebhookEndpoint['disabled_reason']
  /** How often in a row the endpoint failed. */
  readonly failures: number
  /** How many events in a row it refused. */
  readonly refusals: number
  readonly firstFailureAt: number | null
  readonly lastFailureAt: number | null
  readonly nextProbeAt: number | null
}

export type TriedItem = BatchEvent & {
  /** The number of earlier tries; 0 for an event from the log. */
  readonly tries: number
}

/**
 * What becomes of an item:
 * - `delivered`: done
 * - `retry`: this event is tried again at `at`, and does not delay later events
 * - `exhausted`: this event is given up
 * - `waits`: it was not sent, or the endpoint is in trouble; it is sent when the endpoint works again
 */
export type ItemDecision = { kind: 'delivered' | 'exhausted' | 'waits' } | { kind: 'retry'; at: number }

export type BatchEvaluation<Of extends TriedItem> = {
  readonly results: readonly (BatchEventResult<Of> & { readonly decision: ItemDecision })[]
  readonly health: Health
  /** Whether the endpoint gets no more events for now. */
  readonly stops: boolean
}

export type EvaluateOptions = {
  now: number
  /** How many other events of the endpoint wait for a retry. */
  waiting: number
  random?: () => number
}

const busyPauseSeconds = 1

/**
 * Decides what the results of a batch mean. If other events of the batch were delivered, a failed event gets its own
 * retry: one bad event must not block the rest. Otherwise the endpoint is in trouble.
 */
export function evaluateBatch<Of extends TriedItem>(
  before: Health,
  results: readonly BatchEventResult<Of>[],
  { now, waiting, random = Math.random }: EvaluateOptions,
): BatchEvaluation<Of> {
  const seen = summaryOf(before, results, waiting)
  const { isGone, isInTrouble } = seen
  const stops = isGone || isInTrouble
  const decisionOf = ({ item, trial }: BatchEventResult<Of>): ItemDecision => {
    if (!trial || trial.meaning === 'gone') return { kind: 'waits' }
    if (trial.meaning === 'delivered') return { kind: 'delivered' }
    if (stops) return { kind: 'waits' }
    const wait = retryWait(item.tries + 1, random)
    return wait === null ? { kind: 'exhausted' } : { kind: 'retry', at: now + wait }
  }
  return {
    results: results.map((each) => ({ ...each, decision: decisionOf(each) })),
    health: healthAfter(before, seen, { now, random }),
    stops,
  }
}

type Summary = {
  isGone: boolean
  isInTrouble: boolean
  /** Whether an event was delivered. */
  works: boolean
  /** How many events the receiver refused. */
  refused: number
  /** How many seconds the receiver asked to wait; 0: none. */
  retryAfter: number
  /** Whether the receiver accepted some events, and answered 429 to others. */
  isBusy: boolean
}

function summaryOf(
  before: Health,
  results: readonly BatchEventResult<BatchEvent>[],
  waiting: number,
): Summary {
  const trials = results.flatMap(({ trial }) => (trial ? [trial] : []))
  const some = (meaning: AnswerMeaning) => trials.filter((trial) => trial.meaning === meaning)
  const [troubled, refused] = [some('endpoint_trouble'), some('event_trouble')]
  const works = some('delivered').length > 0
  const isFull = waiting + troubled.length + refused.length > waitingMax
  const isRefusing = !works && before.refusals + refused.length >= refusedMax
  return {
    isGone: some('gone').length > 0,
    isInTrouble:
      (refused.length > 0 && (isFull || isRefusing)) || (troubled.length > 0 && (isFull || !works)),
    works,
    refused: refused.length,
    retryAfter: Math.max(0, ...[...troubled, ...refused].map((trial) => trial.retryAfter ?? 0)),
    isBusy: works && troubled.some(({ status }) => status === 429),
  }
}

function healthAfter(
  before: Health,
  { isGone, isInTrouble, works, refused, retryAfter, isBusy }: Summary,
  { now, random }: { now: number; random: () => number },
): Health {
  if (isGone) return gone(before, now)
  if (isInTrouble) return failedOnce(before, { now, retryAfter, random, refused })
  const pauseSeconds = Math.max(retryAfter, isBusy ? busyPauseSeconds : 0)
  const nextProbeAt = pauseSeconds > 0 ? now + Math.min(pauseSeconds, 3_600) * 1_000 : null
  if (works) return { ...healthy, nextProbeAt }
  if (refused === 0) return before
  const refusals = before.refusals + refused
  const times = { firstFailureAt: before.firstFailureAt ?? now, lastFailureAt: now }
  return {
    ...{ ...before, status: 'enabled', failures: 0, refusals, ...times, nextProbeAt },
    ...disabledAfter(before, times, now),
  }
}

/** The state after a delivery. */
export const healthy: Health = {
  ...{ status: 'enabled', disabledReason: null, failures: 0, refusals: 0 },
  ...{ firstFailureAt: null, lastFailureAt: null, nextProbeAt: null },
}

const gone = (before: Health, now: number): Health => ({
  ...{ ...before, failures: before.failures + 1, lastFailureAt: now },
  ...{ status: 'disabled', disabledReason: 'gone', nextProbeAt: null },
})

type Failure = { now: number; retryAfter: number; random: () => number; refused: number }

function failedOnce(before: Health, { now, retryAfter, random, refused }: Failure): Health {
  const failures = before.failures + 1
  const times = { firstFailureAt: before.firstFailureAt ?? now, lastFailureAt: now }
  const status = failures >= failuresMax ? 'failing' : before.status
  const nextProbeAt = now + probeWait(failures, retryAfter, random)
  const refusals = Math.min(before.refusals + refused, refusedMax)
  return {
    ...{ ...before, status, failures, refusals, ...times, nextProbeAt },
    ...disabledAfter(before, times, now),
  }
}

/** Disables an endpoint that received nothing for 5 days; before that, changes nothing. */
function disabledAfter(
  before: Health,
  { firstFailureAt }: { firstFailureAt: number },
  now: number,
): Partial<Health> {
  const previousFailureAt = before.lastFailureAt ?? now
  if (!isDisabledBy({ firstFailureAt, previousFailureAt, now })) return {}
  return { status: 'disabled', disabledReason: 'no_success', nextProbeAt: null }
}
