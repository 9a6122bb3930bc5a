import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { repeat } from '../../platform/repeat.ts'
import { walkSimulatedCalls } from '../providers/simulated-calls.ts'
import { receiveCallback } from './hooks.ts'

const lookMs = 250

/** Moves the simulator's calls on, four times a second, in any number of processes. Returns how to stop. */
export function simulateCalls(scope: SystemScope, context: Context): () => Promise<void> {
  return repeat(
    lookMs,
    () => simulateOnce(scope, context, Date.now()),
    (error) => context.log.warn({ err: error }, 'simulated calls were not moved on; they are later'),
  )
}

/** Has the simulator call back whatever is due at a time: as a request from outside would be taken in, but for the wire. */
export function simulateOnce(scope: SystemScope, context: Context, now: number): Promise<number> {
  const { orgTokens } = context
  return walkSimulatedCalls(
    scope,
    (orgId, body) => orgTokens.sign(orgId, body),
    async (orgId, request) => {
      try {
        await receiveCallback(context, 'simulator', orgId, { url: '', ...request })
      } catch (error) {
        if (!isUnavailable(error))
          context.log.error({ err: error, org_id: orgId }, 'a simulated call was not moved on; it is later')
        throw error
      }
    },
    now,
  )
}
