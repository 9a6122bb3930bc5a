import { Gauge, type Registry } from 'prom-client'
import { ifUnavailable } from '../platform/db/errors.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { countChecks, countedMax } from './checks/checks.ts'
import { countScans } from './scans/scans.ts'

/**
 * Adds gauges of waiting checks and scans. The database counts them, so all processes report the same values; NaN
 * without the database.
 */
export function addDuplicateGauges(registry: Registry, scope: SystemScope): void {
  new Gauge({
    name: 'crosswalk_duplicate_checks',
    help: `Changed records that wait for a check for duplicates, counted up to ${countedMax}.`,
    registers: [registry],
    async collect() {
      this.set((await countChecks(scope).catch(ifUnavailable(null))) ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'crosswalk_duplicate_scans',
    help: 'Scans for duplicates by state: queued, running.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const scans = await countScans(scope).catch(ifUnavailable(null))
      this.reset()
      for (const [state, count] of Object.entries(scans ?? {})) this.set({ state }, count)
    },
  })
}
