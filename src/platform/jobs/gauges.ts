import { Gauge, type Registry } from 'prom-client'
import { ifUnavailable } from '../db/errors.ts'
import type { SystemScope } from '../db/system.ts'
import { countedMax, countJobs, oldestQueued } from './engine/counts.ts'

/** Adds gauges of the whole queue, with the same values in every process. They are missing while the database is unavailable. */
export function addJobGauges(registry: Registry, scope: SystemScope): void {
  new Gauge({
    name: 'crosswalk_jobs',
    help: `Background jobs by name and state, counted up to ${countedMax}. Failed jobs wait for an operator.`,
    labelNames: ['job', 'state'],
    registers: [registry],
    async collect() {
      const counts = await countJobs(scope).catch(ifUnavailable([]))
      this.reset()
      for (const { name: job, ...states } of counts) {
        for (const [state, count] of Object.entries(states)) this.set({ job, state }, count)
      }
    },
  })
  new Gauge({
    name: 'crosswalk_jobs_oldest_queued_seconds',
    help: 'How long the oldest due job that was never tried has waited.',
    labelNames: ['job'],
    registers: [registry],
    async collect() {
      const waits = await oldestQueued(scope).catch(ifUnavailable([]))
      this.reset()
      for (const { name: job, seconds } of waits) this.set({ job }, seconds)
    },
  })
}
