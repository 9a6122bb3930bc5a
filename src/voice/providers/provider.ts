import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { DomainError } from '../../platform/domain-error.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'

/** What a provider is made with: the org whose calls it places, and the org's credentials there. */
export type ProviderAccess = { org: Org; context: Context; credentials: Credentials }

/** What the adapters of all outside providers need; the addresses come from the settings. */
export type OutsideDeps = { outbound: Outbound; twilioApiUrl: string; vapiApiUrl: string }

/** What a provider is asked to do: one call, which carries our `callId` to the provider wherever there is a place for it. */
export type CallOrder = {
  callId: string
  /** E.164. */
  to: string
  from: string
  /** What the provider calls the number `from`, where it has a name of its own for it. */
  fromRef: string | null
  /** What the agent is told. */
  instructions: string | null
  /** The sentence that says an AI is calling, which comes first; null: the org has switched it off. */
  disclosure: string | null
  greeting: string | null
  voice: { provider_voice_id: string | null; language: string | null; speed: number | null } | null
  variables: Readonly<Record<string, string>>
  metadata: Readonly<Record<string, unknown>>
  /** Seconds after which the provider ends the call. */
  maxDurationSeconds: number
  /** Where the provider tells how the call goes; null: nowhere, it is asked. */
  callbackUrl: string | null
  /** To be asked right before the request that can make a phone ring: why it must not be sent; null: it may. */
  lastCheck(): Promise<Refused | null>
}

/** What the callee hears first: the disclosure, then the greeting; null: nothing was set. */
export const openingOf = ({ disclosure, greeting }: Pick<CallOrder, 'disclosure' | 'greeting'>) =>
  [disclosure, greeting?.trim()].filter(Boolean).join(' ') || null

/** What a call is, in our words. */
export const callStates = [
  'queued',
  'ringing',
  'in_progress',
  'completed',
  'busy',
  'no_answer',
  'failed',
  'canceled',
] as const
export type CallState = (typeof callStates)[number]

/** How far a call is; a call never goes back. Those that have ended are all as far. */
export const progressOf = (state: CallState): number => Math.min(callStates.indexOf(state), 3)

/** A call as its provider tells of it. */
export type ProviderCall = {
  providerCallId: string
  state: CallState
  /** Seconds that were talked; null: not known yet. */
  durationSeconds: number | null
}

/**
 * What became of the one attempt to dial.
 *
 * - `dispatched`: the provider took the call; `answer` is what it answered, as it answered it.
 * - `refused`: it did not, and nothing rang (a 4xx, or the provider was never reached).
 * - `unknown`: it may ring (5xx, a broken or unreadable answer, no answer in time). It is never dialled again.
 */
export type DispatchOutcome =
  | { outcome: 'dispatched'; call: ProviderCall; answer: unknown }
  | Refused
  | { outcome: 'unknown'; reason: string }

/** `problem`: the answer, where the last check refused and not the provider. */
export type Refused = { outcome: 'refused'; code: string; message: string; problem?: DomainError }

/** What a callback says, once its signature was verified; `callId` is ours. */
export type CallbackReport = { callId: string; call: ProviderCall }

export type CallbackRequest = {
  /** The address as the provider called it, with its query. */
  url: string
  headers: Readonly<Record<string, string | undefined>>
  /** The bytes of the body, which signatures are of. */
  body: Buffer
}

/** One org's way to one provider. No method retries, and none takes longer than `timeoutMs`. */
export type Provider = {
  /** Dials once. Never throws: whatever happens is an outcome. */
  dispatch(order: CallOrder, timeoutMs: number): Promise<DispatchOutcome>
  /**
   * The call that carries `callId`, if the provider has one; null: it says that it has none. `since`: when it was ordered.
   * @throws Unreachable while it says nothing
   */
  find(order: Pick<CallOrder, 'callId' | 'to' | 'from'>, since: Date): Promise<ProviderCall | null>
  /** Ends a call; what it is then. @throws Unreachable; CannotCancel with the provider's words */
  cancel(callId: string, providerCallId: string): Promise<ProviderCall>
  /** What a callback says; null: nothing about a call of ours. @throws BadSignature */
  parseCallback(request: CallbackRequest): CallbackReport | null
}

export class Unreachable extends Error {
  override name = 'Unreachable'
}

export class CannotCancel extends Error {
  override name = 'CannotCancel'
}

export class BadSignature extends Error {
  override name = 'BadSignature'
}
