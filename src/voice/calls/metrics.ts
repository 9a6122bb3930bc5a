import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Context } from '../../platform/context.ts'
import { ifUnavailable } from '../../platform/db/errors.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { ownMetrics } from '../../platform/metrics.ts'
import { countedMax, countOpen, type OpenCalls } from './open-calls.ts'

/** Metrics of calls that this process counts. */
export type CallMetrics = {
  attempts: Counter<'provider' | 'outcome'>
  /** How long providers took to answer, in seconds, at most the time limit. */
  answers: Histogram<'provider' | 'request'>
  /** The polls by the reconciler, by result. */
  polls: Counter<'provider' | 'result'>
  callbacks: Counter<'provider' | 'result'>
}

/** The call metrics of this process, created at their first use. */
export const callMetrics = ownMetrics(
  (registers): CallMetrics => ({
    attempts: new Counter({
      name: 'crosswalk_call_attempts_total',
      help: 'Attempts of this process to dial, by provider and outcome: dispatched, refused, unknown.',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    answers: new Histogram({
      name: 'crosswalk_call_provider_seconds',
      help: 'Time until a provider answered, by request: dispatch, find, cancel.',
      labelNames: ['provider', 'request'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    polls: new Counter({
      name: 'crosswalk_call_checks_total',
      help: 'Polls of providers for the state of a call, by result: found, absent, silent.',
      labelNames: ['provider', 'result'],
      registers,
    }),
    callbacks: new Counter({
      name: 'crosswalk_call_callbacks_total',
      help: 'Callbacks by provider and result: moved, ignored, busy, limited, nowhere, forged, unreadable.',
      labelNames: ['provider', 'result'],
      registers,
    }),
  }),
)

/** Sends a request to a provider, and measures how long the answer takes. */
export async function withTiming<Answer>(
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

/**
 * Adds gauges of calls in the database, with the same values in every process. They are missing while the database is unavailable.
 */
export function addCallGauges(registry: Registry, scope: SystemScope): void {
  callMetrics({ registry })
  // A scrape collects both gauges at the same time, so they share one read.
  let reading: Promise<OpenCalls[]> | null = null
  const readOpen = () => {
    reading ??= countOpen(scope)
      .catch(ifUnavailable([]))
      .finally(() => {
        reading = null
      })
    return reading
  }
  new Gauge({
    name: 'crosswalk_calls',
    help: `Calls under way by provider and state, counted up to ${countedMax}.`,
    labelNames: ['provider', 'state'],
    registers: [registry],
    async collect() {
      const open = await readOpen()
      this.reset()
      for (const { provider, state, calls } of open) this.set({ provider, state }, calls)
    },
  })
  new Gauge({
    name: 'crosswalk_call_oldest_unknown_seconds',
    help: 'Age of the oldest call for which the provider has not confirmed whether it dialed.',
    labelNames: ['provider'],
    registers: [registry],
    async collect() {
      const open = await readOpen()
      this.reset()
      for (const { provider, state, oldestSeconds } of open)
        if (state === 'unknown') this.set({ provider }, oldestSeconds)
    },
  })
}
