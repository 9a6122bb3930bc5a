import { membersOf } from '../../platform/members.ts'
import { providerIdOf } from './call-id.ts'
import type { CallState, ProviderCall } from './provider.ts'
import { textOf } from './provider-client.ts'

/** The state of an outbound call, by its `sip.callStatus` (docs.livekit.io/telephony/reference/sip-participant). */
const states: Record<string, CallState> = {
  dialing: 'ringing',
  ringing: 'ringing',
  automation: 'in_progress',
  active: 'in_progress',
  hangup: 'completed',
}

/**
 * The state for each `DisconnectReason` (livekit/protocol, livekit_models.proto), by name or number, if it shows the
 * result of a call.
 */
const stateByReason: Record<string, CallState> = {
  USER_UNAVAILABLE: 'no_answer',
  11: 'no_answer',
  USER_REJECTED: 'busy',
  12: 'busy',
  SIP_TRUNK_FAILURE: 'failed',
  13: 'failed',
  JOIN_FAILURE: 'failed',
  7: 'failed',
}

/** The reasons if Crosswalk, or people in the room, ended the call. */
const removedReasons = new Set(['PARTICIPANT_REMOVED', 'ROOM_DELETED', 4, 5])

/**
 * Reads a member of a message by its name in the protobuf definition. Twirp's JSON uses these names, and the JSON of
 * webhooks uses camelCase (protobuf.dev/programming-guides/json).
 */
export function memberOf(message: unknown, name: string): unknown {
  const members = membersOf(message)
  return members[name] ?? members[name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())]
}

/** Returns the call of a participant that is in the room or has `left`; null if it is not a SIP participant. */
export function callOfParticipant(participant: unknown, left = false): ProviderCall | null {
  const attributes = membersOf(memberOf(participant, 'attributes'))
  const [id, status] = [providerIdOf(attributes['sip.callID']), textOf(attributes['sip.callStatus'])]
  if (id === null) return null
  const state = states[status ?? ''] ?? 'queued'
  return { providerCallId: id, state: left ? endOf(participant, state) : state, durationSeconds: null }
}

function endOf(participant: unknown, last: CallState): CallState {
  const reason = memberOf(participant, 'disconnect_reason') as string | number
  const talked = last === 'in_progress' || last === 'completed'
  return stateByReason[reason] ?? (talked ? 'completed' : removedReasons.has(reason) ? 'canceled' : 'failed')
}
