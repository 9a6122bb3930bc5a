import { Gauge, type Registry } from 'prom-client'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { countChecks, countedMost } from './checks.ts'
import { countScans } from './scans.ts'

/** Gauges of what is to be looked at for duplicates: every process shows the same. While the database is away, nobody knows. */
export function addFindingGauges(registry: Registry, scope: SystemScope): void {
  new Gauge({
    name: 'crosswalk_duplicate_checks',
    help: `Changed records that wait to be looked at for duplicates, counted up to ${countedMost}.`,
    registers: [registry],
    async collect() {
      this.set((await countChecks(scope).catch(noneIfAway)) ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'crosswalk_duplicate_scans',
    help: 'Scans for duplicates by state: queued, running.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const scans = await countScans(scope).catch(noneIfAway)
      this.reset()
      for (const [state, count] of Object.entries(scans ?? {})) this.set({ state }, count)
    },
  })
}

function noneIfAway(error: unknown): null {
  if (isUnavailable(error)) return null
  throw error
}
