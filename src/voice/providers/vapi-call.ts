import { membersOf } from '../../platform/members.ts'
import { providerIdOf } from './call-id.ts'
import type { CallState, ProviderCall } from './provider.ts'
import { listOf, textOf } from './provider-client.ts'

/**
 * The states of a call by its `Call.status` (docs.vapi.ai, apis/api/openapi.json). For an ended call, `endedReason`
 * gives the result.
 */
const states: Record<string, CallState> = {
  scheduled: 'queued',
  queued: 'queued',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  forwarding: 'in_progress',
  'not-found': 'failed',
  'deletion-failed': 'completed',
}

/** Reasons of calls without a conversation (docs.vapi.ai/calls/call-ended-reason). */
const neverTalked =
  /^call\.(start|ringing)\.|failed-to-connect|never-connected|outbound-sip-\d|misdialed|-rejected$|^assistant-(not|request)-/

function endOf(reason: string | null): CallState {
  if (reason === null) return 'completed'
  if (reason === 'customer-busy') return 'busy'
  if (reason === 'customer-did-not-answer') return 'no_answer'
  if (reason === 'manually-canceled') return 'canceled'
  return neverTalked.test(reason) ? 'failed' : 'completed'
}

/**
 * Reads Vapi's Call object; null for another value.
 * @param updates newer values, from the message around the object
 */
export function vapiCall(
  value: unknown,
  updates: Readonly<Record<string, unknown>> = {},
): ProviderCall | null {
  const call = { ...membersOf(value), ...updates }
  const [id, status] = [providerIdOf(call.id), textOf(call.status)]
  const state = status === 'ended' ? endOf(textOf(call.endedReason)) : states[status ?? '']
  if (id === null || state === undefined) return null
  const talked = Date.parse(textOf(call.endedAt) ?? '') - Date.parse(textOf(call.startedAt) ?? '')
  const isKnown = state === 'completed' && talked >= 0
  return { providerCallId: id, state, durationSeconds: isKnown ? Math.round(talked / 1000) : null }
}

/** The call of a server message that reports progress; null for other messages (docs.vapi.ai/server-url/events). */
export function callOfMessage(message: Readonly<Record<string, unknown>>): ProviderCall | null {
  const pick = (...names: string[]) =>
    Object.fromEntries(names.flatMap((name) => (textOf(message[name]) ? [[name, message[name]]] : [])))
  if (message.type === 'status-update') return vapiCall(message.call, pick('status', 'endedReason'))
  if (message.type === 'end-of-call-report')
    return vapiCall(message.call, { ...pick('endedReason', 'startedAt', 'endedAt'), status: 'ended' })
  return null
}

/** Returns the text of Vapi's error: `{message: text or list of texts, error}`. */
export function vapiErrorText(json: unknown): string | null {
  const { message } = membersOf(json)
  return textOf(message) ?? textOf(listOf(message).filter(textOf).join('; '))
}
