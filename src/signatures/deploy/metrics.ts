import { Counter } from 'prom-client'
import { ownMetrics } from '../../platform/metrics.ts'

export const installMetrics = ownMetrics((registers) => ({
  installs: new Counter({
    name: 'crosswalk_signature_installs_total',
    help: 'Attempts to install a signature, by provider and outcome: installed, manual_pending, failed or later.',
    labelNames: ['provider', 'outcome'],
    registers,
  }),
}))
