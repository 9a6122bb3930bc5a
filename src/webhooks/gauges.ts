import { Gauge, type Registry } from 'prom-client'
import { ifUnavailable } from '../platform/db/errors.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { countEndpoints, readLag } from './operator.ts'

/**
 * Adds gauges of webhook endpoints. The database counts them, so all processes report the same values; NaN while it
 * is unavailable.
 */
export function addWebhookGauges(registry: Registry, scope: SystemScope): void {
  new Gauge({
    name: 'crosswalk_webhook_endpoints',
    help: 'Webhook endpoints by status: enabled, failing, disabled.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const counts = await countEndpoints(scope).catch(ifUnavailable(null))
      this.reset()
      for (const [status, count] of Object.entries(counts ?? {})) this.set({ status }, count)
    },
  })
  new Gauge({
    name: 'crosswalk_webhook_lag_seconds',
    help: 'The age of the oldest event that an enabled webhook endpoint has not received.',
    registers: [registry],
    async collect() {
      this.set((await readLag(scope).catch(ifUnavailable(null))) ?? Number.NaN)
    },
  })
}
