import { Gauge, type Registry } from 'prom-client'
import { ifUnavailable } from '../platform/db/errors.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { readLogEnd } from './retention/months.ts'

/** Adds the gauge of the event log. All processes report the same value; NaN while the database is unavailable. */
export function addEventLogGauge(registry: Registry, scope: SystemScope): void {
  new Gauge({
    name: 'crosswalk_event_log_room_seconds',
    help: 'The time until the last partition of the event log ends. After that, no write succeeds.',
    registers: [registry],
    async collect() {
      const end = await scope.read(readLogEnd).catch(ifUnavailable(Number.NaN))
      this.set((end - Date.now()) / 1000)
    },
  })
}
