import type { OutboundAnswer } from '../../platform/outbound/answers.ts'
import { AddressRefused, AnswerLost, RequestNotSent } from '../../platform/outbound/errors.ts'
import type { Outbound, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { CrmSetupError, Unavailable } from './adapter.ts'

/**
 * Sends one request to a CRM.
 * @throws Unavailable without a complete answer: the CRM may still have stored the change; CrmSetupError if the address is
 * not allowed
 */
export async function sendOnce(outbound: Outbound, request: OutboundRequest): Promise<OutboundAnswer> {
  try {
    return await outbound.send(request)
  } catch (error) {
    if (error instanceof AddressRefused) throw new CrmSetupError(error.message)
    if (error instanceof RequestNotSent || error instanceof AnswerLost) throw new Unavailable(error.message)
    throw error
  }
}
