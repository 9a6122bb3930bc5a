import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { DomainError } from '../../platform/domain-error.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'

/** The org whose calls an adapter places, and the org's credentials at the provider. */
export type ProviderAccess = { org: Org; context: Context; credentials: Credentials }

/** The dependencies that the adapters of outside providers share. The addresses come from the settings. */
export type VoiceProviderDeps = {
  outbound: Outbound
  /** The organization whose thread time parses the answers. */
  owner: string
  twilioApiUrl: string
  vapiApiUrl: string
}

/** A call to place. Adapters send `callId` to the provider, and find the call by it. */
export type CallOrder = {
  callId: string
  /** E.164, like `from`. */
  to: string
  from: string
  /** The provider's id of the number `from`; null if it has none. */
  fromRef: string | null
  instructions: string | null
  disclosure: string | null
  greeting: string | null
  voice: { provider_voice_id: string | null; language: string | null; speed: number | null } | null
  variables: Readonly<Record<string, string>>
  metadata: Readonly<Record<string, unknown>>
  /** After this time, the provider ends the call. */
  maxDurationSeconds: number
  /** The address for callbacks; null: the provider is polled. */
  callbackUrl: string | null
  /** Call this right before the request that can make a phone ring. Send that request only if the result is null. */
  lastCheck(): Promise<RefusedCall | null>
}

/** The first words of a call: the disclosure, then the greeting; null if it has neither. */
export const openingWordsOf = ({ disclosure, greeting }: Pick<CallOrder, 'disclosure' | 'greeting'>) =>
  [disclosure, greeting?.trim()].filter(Boolean).join(' ') || null

/** The greeting with the variables of the call: `{{name}}` shows the variable `name`. */
export const filledGreetingOf = ({ greeting, variables }: Pick<CallOrder, 'greeting' | 'variables'>) =>
  greeting?.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  ) ?? null

/** The maximum number of objects and lists in a callback. Any organization can sign callbacks for itself. */
export const callbackContainersMax = 5_000

/** The states of a call at its provider, in order. The last five are final. */
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

/** Returns the progress of a call. Progress never decreases. All states of an ended call have the same progress. */
export const progressOf = (state: CallState): number => Math.min(callStates.indexOf(state), 3)

export type ProviderCall = {
  providerCallId: string
  state: CallState
  /** The duration of the conversation in seconds; null: not known yet. */
  durationSeconds: number | null
}

/**
 * - `dispatched`: the provider accepted the call, with the unchanged `answer`.
 * - `refused`: no phone rang (a 4xx, or no connection).
 * - `unknown`: a phone may ring (5xx, an unreadable answer, or none in time). The call is never dialed again.
 */
export type DispatchOutcome =
  | { outcome: 'dispatched'; call: ProviderCall; answer: unknown }
  | RefusedCall
  | { outcome: 'unknown'; reason: string }

/**
 * `code` is the provider's own. `problem` is set if the last check refused the call, and is then the client's answer.
 */
export type RefusedCall = { outcome: 'refused'; code: string; message: string; problem?: DomainError }

/** A callback's report, after its signature was checked. `callId` is Crosswalk's id of the call. */
export type CallbackReport = { callId: string; call: ProviderCall }

export type CallbackRequest = {
  orgId: string
  /** The address that the provider called, with its query. */
  url: string
  headers: Readonly<Record<string, string | undefined>>
  /** The bytes of the body. Signatures cover them. */
  body: Buffer
}

/** The adapter for an org's calls through one provider. No method retries. */
export type Provider = {
  /** Dials once, within `timeoutMs`. Never throws: a failure is an outcome. */
  dispatch(order: CallOrder, timeoutMs: number): Promise<DispatchOutcome>
  /**
   * Finds the call with this `callId`; null if the provider does not have it.
   * @param since the time of the attempt to dial
   * @throws Unreachable without a clear answer
   */
  find(order: Pick<CallOrder, 'callId' | 'to' | 'from'>, since: Date): Promise<ProviderCall | null>
  /** Ends a call, and returns its state. @throws Unreachable; CannotCancel with the provider's text */
  cancel(callId: string, providerCallId: string): Promise<ProviderCall>
  /**
   * Whether the address and the headers can belong to a signed callback. Missing if only the whole body shows whether a
   * callback is forged.
   */
  mayBeSigned?(request: Omit<CallbackRequest, 'body'>): boolean
  /** Verifies and reads a callback. Returns null if it reports nothing about a call of Crosswalk. @throws BadSignature */
  parseCallback(request: CallbackRequest): Promise<CallbackReport | null>
}

/** The provider gave no clear answer. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** The provider cannot cancel the call. The message is the provider's. */
export class CannotCancel extends Error {
  override name = 'CannotCancel'
}

/** A callback does not come from the provider of the organization. */
export class BadSignature extends Error {
  override name = 'BadSignature'
}
