import { AddressRefused, AnswerLost, NeverReached } from '../../platform/outbound/errors.ts'
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { Unavailable, Unusable } from './adapter.ts'

/**
 * Sends one request to a CRM.
 * @throws Unavailable without a complete answer: the CRM may still have stored the change; Unusable if the address is
 * not allowed
 */
export async function sendOnce(outbound: Outbound, request: OutboundRequest): Promise<OutboundAnswer> {
  try {
    return await outbound.send(request)
  } catch (error) {
    if (error instanceof AddressRefused) throw new Unusable(error.message)
    if (error instanceof NeverReached || error instanceof AnswerLost) throw new Unavailable(error.message)
    throw error
  }
}
