import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { ProviderName } from '../credentials.ts'
import { callIdOf } from '../providers/call-id.ts'
import { BadSignature, type CallbackReport, type CallbackRequest } from '../providers/provider.ts'
import { advanceReportedCall } from './progress.ts'
import { adapterFor } from './provider-adapter.ts'

/** The path for callbacks of a provider about the organization of the token. */
export const callbackPath = (provider: string, token: string): string => `/hooks/voice/${provider}/${token}`

/** Returns the address for a provider's callbacks about an org's calls; null if PUBLIC_URL is not set. */
export function callbackUrl(
  { config, orgTokens }: Context,
  provider: ProviderName,
  orgId: string,
): string | null {
  if (config.publicUrl === null) return null
  return config.publicUrl + callbackPath(provider, orgTokens.make(orgId))
}

/**
 * The result of a callback. `nowhere`: its address names no org or provider of this installation. `forged`: its
 * signature is wrong.
 */
export type CallbackResult = 'moved' | 'ignored' | 'nowhere' | 'forged' | 'unreadable'

/** Whether a callback is refused by its address and its headers alone, and why. Null: its body must be read. */
export async function refusalBeforeBody(
  context: Context,
  name: ProviderName,
  request: Omit<CallbackRequest, 'body'>,
): Promise<'nowhere' | 'forged' | null> {
  const provider = await adapterFor(context, context.database.org(request.orgId), name)
  if (provider === null) return 'nowhere'
  return provider.mayBeSigned?.(request) === false ? 'forged' : null
}

/** Moves the call of a callback forward. A callback that is late, repeated or out of order changes nothing. */
export async function receiveCallback(
  context: Context,
  name: ProviderName,
  request: CallbackRequest,
): Promise<CallbackResult> {
  const org = context.database.org(request.orgId)
  const provider = await adapterFor(context, org, name)
  if (provider === null) return 'nowhere'
  let report: CallbackReport | null
  try {
    report = await provider.parseCallback(request)
  } catch (error) {
    if (isUnavailable(error)) throw error
    return error instanceof BadSignature ? 'forged' : 'unreadable'
  }
  const callId = callIdOf(report?.callId)
  if (report === null || callId === null) return 'ignored'
  const { call } = report
  const moved = await org.transact((tx) => advanceReportedCall(tx, callId, name, call))
  return moved ? 'moved' : 'ignored'
}
