import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { ownMetrics } from '../../platform/metrics.ts'
import { countedMost, countOpen } from './open-calls.ts'

/** What this process measures of calls. */
export type CallMetrics = {
  /** What came of attempts to dial. */
  attempts: Counter<'provider' | 'outcome'>
  /** Seconds until a provider answered, or until it was given up. */
  answers: Histogram<'provider' | 'request'>
  /** What came of asking for calls of which nothing is known, or nothing new. */
  asked: Counter<'provider' | 'result'>
  callbacks: Counter<'provider' | 'result'>
}

/** What this process measures of calls; made when it is first asked for. */
export const callMetrics = ownMetrics(
  (registers): CallMetrics => ({
    attempts: new Counter({
      name: 'crosswalk_call_attempts_total',
      help: 'Attempts of this process to dial, by provider and what it answered: dispatched, refused, unknown.',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    answers: new Histogram({
      name: 'crosswalk_call_provider_seconds',
      help: 'Time until a provider answered, by what it was asked: dispatch, find, cancel.',
      labelNames: ['provider', 'request'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    asked: new Counter({
      name: 'crosswalk_call_checks_total',
      help: 'Questions to providers how a call goes, by what they said: found, absent, silent.',
      labelNames: ['provider', 'result'],
      registers,
    }),
    callbacks: new Counter({
      name: 'crosswalk_call_callbacks_total',
      help: 'Callbacks by provider and what they did: moved, ignored, nowhere, forged, unreadable.',
      labelNames: ['provider', 'result'],
      registers,
    }),
  }),
)

/** Has a provider answer a request, and notes how long that took. */
export async function timed<Answer>(
  context: Pick<Context, 'registry'>,
  provider: string,
  request: 'dispatch' | 'find' | 'cancel',
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const startedAt = performance.now()
  try {
    return await ask()
  } finally {
    const seconds = (performance.now() - startedAt) / 1000
    callMetrics(context).answers.observe({ provider, request }, seconds)
  }
}

/** Gauges of the calls in the database: every process shows the same. They are missing while the database is away. */
export function addCallGauges(registry: Registry, scope: SystemScope): void {
  callMetrics({ registry })
  new Gauge({
    name: 'crosswalk_calls',
    help: `Calls under way by provider and state, counted up to ${countedMost}.`,
    labelNames: ['provider', 'state'],
    registers: [registry],
    async collect() {
      const open = await countOpen(scope).catch(noneIfAway)
      this.reset()
      for (const { provider, state, calls } of open) this.set({ provider, state }, calls)
    },
  })
  new Gauge({
    name: 'crosswalk_call_oldest_unknown_seconds',
    help: 'How long ago the oldest call was placed of which its provider has not said whether it dialled.',
    labelNames: ['provider'],
    registers: [registry],
    async collect() {
      const open = await countOpen(scope).catch(noneIfAway)
      this.reset()
      for (const { provider, state, oldestSeconds } of open)
        if (state === 'unknown') this.set({ provider }, oldestSeconds)
    },
  })
}

function noneIfAway(error: unknown): [] {
  if (isUnavailable(error)) return []
  throw error
}
