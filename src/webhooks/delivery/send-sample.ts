import type { EventType } from '../../events/catalog.ts'
import { fullSampleOf, sampleOf } from '../../events/samples.ts'
import type { Context } from '../../platform/context.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Org } from '../../platform/db/org.ts'
import { Outbound } from '../../platform/outbound/outbound.ts'
import { currentTraceparent } from '../../platform/tracing/trace.ts'
import { readEndpoint } from './endpoint.ts'
import { answerBytesMax, type Trial, tryDelivery } from './send.ts'

/** A try with the sample event of a type. */
export type SampleTrial = { eventId: string; trial: Trial }

/**
 * Sends the sample event of a type to an endpoint now, for any status. Changes nothing. With the payload `full`, the
 * event has the reference's example object. Its id is new, because receivers skip an id that they know.
 * @returns null if the endpoint does not exist
 */
export async function sendSample(
  org: Org,
  context: Context,
  endpointId: string,
  type: EventType,
): Promise<SampleTrial | null> {
  const endpoint = await org.read((tx) => readEndpoint(tx, context.secrets, endpointId))
  if (!endpoint) return null
  const { config, log } = context
  const { url, headers, secrets, payload } = endpoint
  const outbound = new Outbound({ allowPrivate: config.outboundAllowPrivate, log })
  const session = outbound.session(url.origin, { idleMax: 1, maxBytes: answerBytesMax })
  const now = Date.now()
  const eventId = newId()
  const body = JSON.stringify({
    ...(payload === 'full' ? fullSampleOf(type, context.sampleObject) : sampleOf(type)),
    ...{ timestamp: new Date(now).toISOString(), event_id: eventId, org_id: org.orgId, mode: org.actor.mode },
    created_at: Math.floor(now / 1000),
  })
  try {
    const target = { endpointId, session, path: `${url.pathname}${url.search}`, headers, secrets }
    return {
      eventId,
      trial: await tryDelivery(target, { eventId, body, number: 1, traceparent: currentTraceparent() }),
    }
  } finally {
    session.close()
  }
}
