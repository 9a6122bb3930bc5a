import { AddressRefused, AnswerLost, NeverReached } from '../../platform/outbound/errors.ts'
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { Unavailable, Unusable } from './adapter.ts'

/**
 * Asks a CRM once.
 * @throws Unavailable if no whole answer came: what was asked may have happened all the same; Unusable if its address may
 * not be asked
 */
export async function askOnce(outbound: Outbound, request: OutboundRequest): Promise<OutboundAnswer> {
  try {
    return await outbound.send(request)
  } catch (error) {
    if (error instanceof AddressRefused) throw new Unusable(error.message)
    if (error instanceof NeverReached || error instanceof AnswerLost) throw new Unavailable(error.message)
    throw error
  }
}
