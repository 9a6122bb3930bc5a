import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import { repeatAfterCommits } from '../../platform/db/repeat-after-commits.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { nextDueCallback, sendDueCallbacks } from '../providers/simulated-calls.ts'
import { receiveCallback } from './callbacks.ts'

const intervalMs = 250

/** Advances simulated calls four times a second. Any number of processes may run it. Returns a function that stops it. */
export function simulateCalls(scope: SystemScope, context: Context): () => Promise<void> {
  return repeatAfterCommits(
    scope,
    { everyMs: intervalMs, nextDue: nextDueCallback },
    () => sendDueSimulatedCallbacks(scope, context, Date.now()),
    (error) =>
      context.log.warn({ err: error }, 'simulated calls could not be advanced; the next round tries again'),
  )
}

/** Delivers all due simulated callbacks to the code that handles callbacks over HTTP. */
export function sendDueSimulatedCallbacks(
  scope: SystemScope,
  context: Context,
  now: number,
): Promise<number> {
  const { orgTokens } = context
  return sendDueCallbacks(
    scope,
    (orgId, body) => orgTokens.sign(orgId, body),
    async (request) => {
      try {
        await receiveCallback(context, 'simulator', { url: '', ...request })
      } catch (error) {
        if (!isUnavailable(error))
          context.log.error(
            { err: error, org_id: request.orgId },
            'a simulated call could not be advanced; the next round tries again',
          )
        throw error
      }
    },
    now,
  )
}
