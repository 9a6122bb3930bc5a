import type { WebhookOutcome } from '../../../../../sdk/src/generated/types.ts'
import { State } from '../../../parts/state.tsx'

const kinds = { delivered: 'ok', failed: 'warn', exhausted: 'bad' } as const
const words = { delivered: 'delivered', failed: 'failed', exhausted: 'given up' }

/** The outcome of a request to an endpoint. */
export const Outcome = ({ outcome }: { outcome: WebhookOutcome }) => (
  <State kind={kinds[outcome]}>{words[outcome]}</State>
)
