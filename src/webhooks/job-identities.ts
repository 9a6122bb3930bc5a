import { z } from 'zod'
import type { JobIdentity } from '../platform/jobs/identity.ts'

type Serial<Payload> = JobIdentity<Payload> & { serialKey(payload: Payload): string }

const delivery = z.object({
  org_id: z.string(),
  endpoint_id: z.string(),
  /** The organizations whose events are to be sent. */
  source_org_ids: z.array(z.string()),
})
const replay = z.object({ org_id: z.string(), endpoint_id: z.string(), replay_id: z.string() })

export type Delivery = z.output<typeof delivery>
export type Replay = z.output<typeof replay>

// Both jobs of an endpoint have one serial key, so they never run at once.
const ofEndpoint = {
  payload: delivery,
  orgId: ({ org_id: orgId }: Delivery) => orgId,
  serialKey: ({ endpoint_id: endpointId }: Delivery) => `webhook ${endpointId}`,
}

export const deliveryIdentity: Serial<Delivery> = { name: 'deliver_webhooks', ...ofEndpoint }
export const probeIdentity: Serial<Delivery> = { name: 'probe_webhooks', ...ofEndpoint }
export const replayIdentity: Serial<Replay> = {
  name: 'replay_webhooks',
  payload: replay,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ replay_id: replayId }) => `webhook replay ${replayId}`,
}
