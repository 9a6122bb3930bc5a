import type { Caller } from '../../platform/caller.ts'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { Org } from '../../platform/db/org.ts'
import { badGateway, conflict, DomainError } from '../../platform/domain-error.ts'
import type { Once } from '../../platform/http/once.ts'
import type { Json } from '../../platform/json.ts'
import { CannotCancel, type ProviderCall } from '../providers/provider.ts'
import { accessTo } from './access.ts'
import { type CallRow, findCallIn, noCall, readRow } from './calls.ts'
import { timed } from './metrics.ts'
import { report } from './progress.ts'

type Request = { org: Org; caller: Caller; context: Context; once: Once }

/**
 * Ends a call at its provider; the call as it is then. One that was canceled already stays so.
 * @throws DomainError not_found; conflict if it has ended otherwise, is being dialled, or its provider cannot; bad_gateway if that says nothing
 */
export async function cancelCall({ org, caller, context, once }: Request, callId: string): Promise<Json> {
  const { orgId } = org
  const call = await once.begin(
    callId,
    async (tx) => {
      const found = await readRow(tx, orgId, callId)
      if (!found) throw noCall()
      requireCancelable(found, caller)
      return found
    },
    // To cancel twice does no harm.
    async () => 'again',
  )
  const told = call.status === 'canceled' ? null : await cancelAtProvider(context, org, call)
  return once.end(async (tx) => {
    if (told instanceof DomainError) return { refusal: told }
    if (told !== null) await report(tx, orgId, callId, call.provider, told)
    return { answer: await findCallIn(tx, orgId, callId) }
  })
}

function requireCancelable(
  { status, ended, mode, provider_call_id: providerCallId }: CallRow,
  caller: Caller,
): void {
  // Nothing that a test key does leaves the house.
  if (mode === 'live' && caller.mode === 'test')
    throw conflict('This is a live call, which a key of test mode cannot end: use a live key')
  if (status === 'canceled') return
  if (ended) throw conflict(`This call has ended already (${status})`)
  if (providerCallId === null)
    throw conflict(
      'The provider has not confirmed this call yet: wait until its status is neither dispatching nor unknown',
    )
}

async function cancelAtProvider(
  context: Context,
  org: Org,
  call: CallRow,
): Promise<ProviderCall | DomainError> {
  const provider = await accessTo(context, org, call.provider)
  if (provider === null)
    return conflict(`${call.provider} cannot be asked: this organization has no credentials for it`)
  try {
    const cancel = () => provider.cancel(call.call_id, call.provider_call_id!)
    return await timed(context, call.provider, 'cancel', cancel)
  } catch (error) {
    if (error instanceof CannotCancel) return conflict(`${call.provider} cannot cancel it: ${error.message}`)
    if (isUnavailable(error))
      return new DomainError('unavailable', 'The database is busy: try again', { retryAfterSeconds: 1 })
    context.log.warn({ err: error, call_id: call.call_id }, 'a call could not be canceled')
    return badGateway(`${call.provider} did not say whether it canceled the call: try again`)
  }
}
