import type { Caller } from '../../platform/caller.ts'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { Org } from '../../platform/db/org.ts'
import { badGateway, conflict, DomainError, unavailable } from '../../platform/domain-error.ts'
import type { EffectTransactions } from '../../platform/http/effect-transactions.ts'
import type { Json } from '../../platform/json.ts'
import { shorten } from '../../platform/outbound/answers.ts'
import type { ProviderName } from '../credentials.ts'
import { CannotCancel, type ProviderCall } from '../providers/provider.ts'
import { type CallRow, callNotFound, findCallIn, readCall, storeCanceler } from './calls.ts'
import { withTiming } from './metrics.ts'
import { advanceReportedCall } from './progress.ts'
import { adapterFor } from './provider-adapter.ts'

type CancelRequest = { org: Org; caller: Caller; context: Context; once: EffectTransactions }

/**
 * Ends a call at its provider. Does nothing if the call is already canceled.
 * @throws DomainError not_found; conflict if the call ended in another way, is being dialed, or its provider cannot
 * cancel it; bad_gateway if the provider does not answer
 */
export async function cancelCall(
  { org, caller, context, once }: CancelRequest,
  callId: string,
): Promise<Json> {
  const call = await once.begin(
    callId,
    async (tx) => {
      const found = await readCall(tx, callId)
      if (!found) throw callNotFound()
      const asked = cancelable(found, caller)
      if (asked) await storeCanceler(tx, callId)
      return asked
    },
    // A retry may cancel again: a second cancel does no harm.
    async () => 'again',
  )
  const canceled = call && (await cancelAtProvider(context, org, call))
  return once.end(async (tx) => {
    if (canceled instanceof DomainError) return { refusal: canceled }
    if (call && canceled) await advanceReportedCall(tx, callId, call.provider, canceled)
    return { answer: await findCallIn(tx, callId) }
  })
}

type Cancelable = { callId: string; provider: ProviderName; providerCallId: string }

/**
 * The data that the provider needs to cancel the call; null if the call is already canceled.
 * @throws DomainError conflict
 */
function cancelable(call: CallRow, caller: Caller): Cancelable | null {
  const { status, ended, mode, provider, provider_call_id: providerCallId } = call
  if (mode === 'live' && caller.mode === 'test')
    throw conflict(
      'mode_mismatch',
      'This is a live call, which a key of test mode cannot end: use a live key',
    )
  if (status === 'canceled') return null
  if (ended) throw conflict('call_ended', `This call has ended already (${status})`)
  if (providerCallId === null)
    throw conflict(
      'call_not_confirmed',
      'The provider has not confirmed this call yet: wait until its status is neither dispatching nor unknown',
    )
  return { callId: call.call_id, provider, providerCallId }
}

async function cancelAtProvider(
  context: Context,
  org: Org,
  { callId, provider: name, providerCallId }: Cancelable,
): Promise<ProviderCall | DomainError> {
  const provider = await adapterFor(context, org, name)
  if (provider === null)
    return conflict(
      'call_not_cancelable',
      `${name} cannot be asked: this organization has no credentials for it`,
    )
  try {
    return await withTiming(context, name, 'cancel', () => provider.cancel(callId, providerCallId))
  } catch (error) {
    if (error instanceof CannotCancel)
      return conflict('call_not_cancelable', `${name} cannot cancel it: ${shorten(error.message)}`)
    if (isUnavailable(error))
      return unavailable('database_unavailable', 'The database is busy: try again', { retryAfterSeconds: 1 })
    context.log.warn({ err: error, call_id: callId }, 'a call could not be canceled')
    return badGateway('cancel_unconfirmed', `${name} did not say whether it canceled the call: try again`)
  }
}
