import { membersOf } from '../../platform/outbound/answers.ts'
import { textOf } from './exchange.ts'
import type { CallState, ProviderCall } from './provider.ts'

/** `sip.callStatus` of an outbound call (docs.livekit.io/telephony/reference/sip-participant): it dials until it is answered. */
const states: Record<string, CallState> = {
  dialing: 'ringing',
  ringing: 'ringing',
  automation: 'in_progress',
  active: 'in_progress',
  hangup: 'completed',
}

/** `DisconnectReason` (livekit/protocol, livekit_models.proto) by name or number, where it tells what became of the call. */
const ends: Record<string, CallState> = {
  USER_UNAVAILABLE: 'no_answer',
  11: 'no_answer',
  USER_REJECTED: 'busy',
  12: 'busy',
  SIP_TRUNK_FAILURE: 'failed',
  13: 'failed',
  JOIN_FAILURE: 'failed',
  7: 'failed',
}

/** Reasons for which we, or people in the room, ended it. */
const removed = new Set(['PARTICIPANT_REMOVED', 'ROOM_DELETED', 4, 5])

/**
 * Reads a member of a message by the name that its definition has: Twirp answers in JSON with these, webhooks come in
 * JSON with camelCase (protobuf.dev/programming-guides/json).
 */
export function memberOf(message: unknown, name: string): unknown {
  const members = membersOf(message)
  return members[name] ?? members[name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())]
}

/** The call of a ParticipantInfo, while it is in the room, or when it `left`; null if it is none of SIP. */
export function callOfParticipant(participant: unknown, left = false): ProviderCall | null {
  const attributes = membersOf(memberOf(participant, 'attributes'))
  const [id, status] = [textOf(attributes['sip.callID']), textOf(attributes['sip.callStatus'])]
  if (id === null) return null
  const state = states[status ?? ''] ?? 'queued'
  return { providerCallId: id, state: left ? endOf(participant, state) : state, durationSeconds: null }
}

function endOf(participant: unknown, last: CallState): CallState {
  const reason = memberOf(participant, 'disconnect_reason') as string | number
  const talked = last === 'in_progress' || last === 'completed'
  return ends[reason] ?? (talked ? 'completed' : removed.has(reason) ? 'canceled' : 'failed')
}
