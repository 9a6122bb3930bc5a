import { jsonOf, membersOf } from '../../platform/outbound/answers.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import { callIdOf } from './call-id.ts'
import { Exchange, listOf, questionMs, type Reply, refused, textOf, unknown } from './exchange.ts'
import { callOfParticipant, memberOf } from './livekit-participant.ts'
import { isOfBody, livekitToken, readLivekitToken } from './livekit-token.ts'
import {
  BadSignature,
  type CallbackReport,
  type CallbackRequest,
  type CallOrder,
  CannotCancel,
  type DispatchOutcome,
  type OutsideDeps,
  openingOf,
  type Provider,
  type ProviderCall,
} from './provider.ts'

/** Answers of status 4xx that do not say that nothing was dialled: the server gave up on the one that dials (twitchtv/twirp, errors.go). */
const undecided = new Set(['deadline_exceeded', 'canceled', 'aborted'])

/** How much of its time a dispatch has for the agent: the rest is for the callee, or for calling the agent back. */
const firstShare = 0.6

const roomOf = (callId: string) => `call-${callId}`
/** The callee's identity in the room. */
const calleeOf = (callId: string) => `callee-${callId}`
const isSuccess = ({ status }: Reply) => status >= 200 && status < 300
const seconds = () => Math.floor(Date.now() / 1000)

/**
 * A LiveKit server: Twirp over JSON (livekit/protocol, livekit_agent_dispatch.proto, livekit_sip.proto, livekit_room.proto).
 * An agent is sent to a room of the call's own, then the callee is dialled into it: only the second can ring a phone.
 */
export function livekitProvider(
  credentials: Credentials,
  { outbound }: Pick<OutsideDeps, 'outbound'>,
): Provider {
  const { url = '', api_key: apiKey = '', api_secret: apiSecret = '' } = credentials
  const { sip_trunk_id: trunkId = '', agent_name: agentName = '' } = credentials
  const exchange = new Exchange('LiveKit', outbound, [apiSecret])
  const base = url.replace(/^ws/, 'http').replace(/\/+$/, '')

  const request = (method: string, grants: object, body: object, timeoutMs: number) => ({
    ...{ method: 'POST' as const, url: `${base}/twirp/livekit.${method}`, body: JSON.stringify(body) },
    headers: {
      authorization: `Bearer ${livekitToken(apiKey, apiSecret, { ...grants }, seconds())}`,
      'content-type': 'application/json',
    },
    timeoutMs,
  })
  const inRoom = (room: string) => ({ video: { roomAdmin: true, room } })
  const deleteRoom = (room: string, timeoutMs: number) =>
    request('RoomService/DeleteRoom', { video: { roomCreate: true } }, { room }, timeoutMs)

  async function dispatch(order: CallOrder, timeoutMs: number): Promise<DispatchOutcome> {
    const deadline = Date.now() + timeoutMs
    const left = () => Math.max(1, deadline - Date.now())
    const room = roomOf(order.callId)
    const agent = { room, agent_name: agentName, metadata: JSON.stringify(briefOf(order)) }
    const sent = await exchange.attempt(
      request('AgentDispatchService/CreateDispatch', inRoom(room), agent, left() * firstShare),
    )
    const dispatchId = 'reply' in sent && isSuccess(sent.reply) && textOf(membersOf(sent.reply.json).id)
    if (!dispatchId) {
      const problem = problemOf(sent)
      // Nobody was dialled, but an agent may be waiting.
      if (problem.code !== 'unreachable') await exchange.attempt(deleteRoom(room, left()))
      return problem
    }
    const participant = {
      ...{ sip_trunk_id: trunkId, sip_call_to: order.to, sip_number: order.from, room_name: room },
      ...{ participant_identity: calleeOf(order.callId), participant_metadata: order.callId },
      max_call_duration: `${order.maxDurationSeconds}s`,
    }
    const ring = async (): Promise<DispatchOutcome> => {
      const attempt = await exchange.attempt(
        request('SIP/CreateSIPParticipant', { sip: { call: true } }, participant, left()),
      )
      return 'reply' in attempt ? outcomeOf(attempt.reply, sent.reply.json) : attempt
    }
    const outcome = (await order.lastCheck()) ?? (await ring())
    if (outcome.outcome === 'refused') {
      const ids = { dispatch_id: dispatchId, room }
      await exchange.attempt(request('AgentDispatchService/DeleteDispatch', inRoom(room), ids, left()))
    }
    return outcome
  }

  /** Why no agent was sent: whatever it is, no phone rings. */
  function problemOf(sent: { reply: Reply } | Extract<DispatchOutcome, { outcome: 'refused' | 'unknown' }>) {
    if ('reply' in sent) {
      const { code, words } = errorOf(sent.reply)
      return refused(code ?? `http_${sent.reply.status}`, `No agent could be sent to the call: ${words}`)
    }
    return sent.outcome === 'refused'
      ? sent
      : refused('no_agent', `No agent could be sent to the call: ${sent.reason}`)
  }

  function outcomeOf(reply: Reply, agentDispatch: unknown): DispatchOutcome {
    if (isSuccess(reply)) {
      const id = textOf(memberOf(reply.json, 'sip_call_id'))
      if (id === null) return unknown(`LiveKit answered ${reply.status}, unreadably`)
      const call: ProviderCall = { providerCallId: id, state: 'queued', durationSeconds: null }
      return { outcome: 'dispatched', call, answer: { dispatch: agentDispatch, sip_participant: reply.json } }
    }
    const { code, words, dialled } = errorOf(reply)
    return dialled || undecided.has(code ?? '') ? unknown(words) : exchange.judge(reply, code, words)
  }

  /** The callee in the call's room. A room is gone soon after its call: then there is none. */
  async function find({ callId }: Pick<CallOrder, 'callId'>): Promise<ProviderCall | null> {
    const room = roomOf(callId)
    const reply = await exchange.ask(
      request('RoomService/ListParticipants', inRoom(room), { room }, questionMs),
    )
    if (errorOf(reply).code === 'not_found') return null
    if (!isSuccess(reply) || reply.json === undefined) throw exchange.silent(reply)
    const callee = listOf(memberOf(reply.json, 'participants')).find(
      (participant) => memberOf(participant, 'identity') === calleeOf(callId),
    )
    const call = callee === undefined ? null : callOfParticipant(callee)
    if (callee !== undefined && call === null) throw exchange.silent(reply)
    return call
  }

  /** Closes the room, which hangs up. */
  async function cancel(callId: string, sipCallId: string): Promise<ProviderCall> {
    const last = await find({ callId })
    const reply = await exchange.ask(deleteRoom(roomOf(callId), questionMs))
    const { code, words } = errorOf(reply)
    if (code === 'not_found') throw new CannotCancel('LiveKit has no such call any more: it has ended')
    if (!isSuccess(reply)) throw new CannotCancel(words)
    const state = last?.state === 'in_progress' || last?.state === 'completed' ? 'completed' : 'canceled'
    return { providerCallId: last?.providerCallId ?? sipCallId, state, durationSeconds: null }
  }

  function parseCallback({ headers, body }: CallbackRequest): CallbackReport | null {
    const token = (headers.authorization ?? '').replace(/^Bearer /i, '')
    const claims = readLivekitToken(apiKey, apiSecret, token, seconds())
    if (claims === null || !isOfBody(claims, body))
      throw new BadSignature('the token of this webhook is not signed by this key for this body')
    const message = jsonOf(body)
    const [event, participant] = [memberOf(message, 'event'), memberOf(message, 'participant')]
    const callId = callIdOf(textOf(memberOf(participant, 'identity'))?.replace(/^callee-/, ''))
    const leaves = event === 'participant_left' || event === 'participant_connection_aborted'
    if (callId === null || !(leaves || event === 'participant_joined')) return null
    if (memberOf(memberOf(message, 'room'), 'name') !== roomOf(callId)) return null
    const call = callOfParticipant(participant, leaves)
    return call === null ? null : { callId, call }
  }

  return { dispatch, find, cancel, parseCallback }
}

/** What the agent is told, as JSON in the metadata of its dispatch; `greeting` begins with the disclosure. */
function briefOf(order: CallOrder) {
  const { callId, to, from, instructions, voice, variables, metadata } = order
  return { call_id: callId, to, from, instructions, greeting: openingOf(order), voice, variables, metadata }
}

/** Twirp's `{code, msg, meta}` (twitchtv.github.io/twirp/docs/errors.html); `dialled`: what SIP said of the dialling is told. */
function errorOf(reply: Reply): { code: string | null; words: string; dialled: boolean } {
  const { code, msg, meta } = membersOf(reply.json)
  const words = textOf(msg) ?? (isSuccess(reply) || reply.status >= 500 ? '' : reply.text.trim())
  const answered = `LiveKit answered ${reply.status}`
  return {
    code: isSuccess(reply) ? null : textOf(code),
    words: words || answered,
    dialled: textOf(membersOf(meta).sip_status_code) !== null,
  }
}
