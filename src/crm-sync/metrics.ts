import { Histogram } from 'prom-client'
import type { Context } from '../platform/context.ts'
import { ownMetrics } from '../platform/metrics.ts'
import { AccessRefused, type Adapter, BatchRefused, CrmSetupError, Unavailable } from './adapters/adapter.ts'

const metrics = ownMetrics((registers) => ({
  answers: new Histogram({
    name: 'crosswalk_crm_answer_seconds',
    help: 'Time until a CRM answered, by request (describe, push) and outcome: done, batch_refused, access_refused, unusable, unavailable, failed.',
    labelNames: ['provider', 'request', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  }),
}))

const outcomeOfError = [
  [BatchRefused, 'batch_refused'],
  [AccessRefused, 'access_refused'],
  [CrmSetupError, 'unusable'],
  [Unavailable, 'unavailable'],
] as const

/** Measures the time and outcome of each answer. */
export function withMetrics(adapter: Adapter, provider: string, context: Pick<Context, 'registry'>): Adapter {
  const { answers } = metrics(context)
  const timed =
    <Args extends unknown[], Result>(request: string, ask: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const startedAt = performance.now()
      let outcome = 'failed'
      try {
        const result = await ask(...args)
        outcome = 'done'
        return result
      } catch (error) {
        outcome = outcomeOfError.find(([kind]) => error instanceof kind)?.[1] ?? outcome
        throw error
      } finally {
        answers.observe({ provider, request, outcome }, (performance.now() - startedAt) / 1_000)
      }
    }
  return {
    batchSize: adapter.batchSize,
    duplicateKeys: (person) => adapter.duplicateKeys(person),
    describe: timed('describe', (kind) => adapter.describe(kind)),
    problems: timed('describe', (kind) => adapter.problems(kind)),
    upsert: timed('push', (kind, people, signal) => adapter.upsert(kind, people, signal)),
  }
}
