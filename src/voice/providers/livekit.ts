import { membersOf } from '../../platform/members.ts'
import type { OutboundRequest } from '../../platform/outbound/outbound.ts'
import { parseUntrustedJson } from '../../platform/outbound/untrusted-json.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import { callIdOf, providerIdOf } from './call-id.ts'
import { callOfParticipant, memberOf } from './livekit-participant.ts'
import { type LivekitClaims, livekitToken, matchesBody, readLivekitToken } from './livekit-token.ts'
import {
  BadSignature,
  type CallbackReport,
  type CallbackRequest,
  type CallOrder,
  CannotCancel,
  callbackContainersMax,
  type DispatchOutcome,
  openingWordsOf,
  type Provider,
  type ProviderCall,
  type VoiceProviderDeps,
} from './provider.ts'
import {
  listOf,
  ProviderClient,
  type ProviderReply,
  questionTimeoutMs,
  refusedOutcome,
  textOf,
  unknownOutcome,
} from './provider-client.ts'

/**
 * 4xx errors after which the call may still be dialed: the server only stopped waiting (twitchtv/twirp, errors.go).
 */
const undecidedCodes = new Set(['deadline_exceeded', 'canceled', 'aborted'])

/**
 * The maximum size of an answer in bytes, and of its objects and lists. Anyone can run a LiveKit server, and the answer to
 * a dispatch is stored and shown.
 */
const [answerBytesMax, answerContainersMax] = [256 * 1024, 5_000]

const agentShare = 0.6

const roomOf = (callId: string) => `call-${callId}`
const calleeOf = (callId: string) => `callee-${callId}`
const isSuccess = ({ status }: ProviderReply) => status >= 200 && status < 300
const unixSeconds = () => Math.floor(Date.now() / 1000)
const roomGrant = (room: string) => ({ video: { roomAdmin: true, room } })

/**
 * A LiveKit server: Twirp over JSON (livekit/protocol). The first request sends an agent to a
 * separate room, and the second dials the callee into it. Only the second request can make a phone
 * ring.
 */
export class LivekitProvider implements Provider {
  readonly #base: string
  readonly #apiKey: string
  readonly #apiSecret: string
  readonly #trunkId: string
  readonly #agentName: string
  readonly #client: ProviderClient

  constructor(credentials: Credentials, { outbound, owner }: Pick<VoiceProviderDeps, 'outbound' | 'owner'>) {
    const { url = '', api_key: apiKey = '', api_secret: apiSecret = '' } = credentials
    const { sip_trunk_id: trunkId = '', agent_name: agentName = '' } = credentials
    this.#base = url.replace(/^ws/, 'http').replace(/\/+$/, '')
    this.#apiKey = apiKey
    this.#apiSecret = apiSecret
    this.#trunkId = trunkId
    this.#agentName = agentName
    const limits = { containersMax: answerContainersMax, onlyRepeats: true }
    this.#client = new ProviderClient({ vendor: 'LiveKit', outbound, owner, secrets: [apiSecret], limits })
  }

  async dispatch(order: CallOrder, timeoutMs: number): Promise<DispatchOutcome> {
    const deadline = Date.now() + timeoutMs
    const left = () => Math.max(1, deadline - Date.now())
    const room = roomOf(order.callId)
    const agent = { room, agent_name: this.#agentName, metadata: JSON.stringify(agentMetadata(order)) }
    const sent = await this.#client.attempt(
      this.#request('AgentDispatchService/CreateDispatch', roomGrant(room), agent, left() * agentShare),
    )
    const dispatchId = 'reply' in sent && isSuccess(sent.reply) && textOf(membersOf(sent.reply.json).id)
    if (!dispatchId) {
      const problem = agentProblem(sent)
      // Nobody was dialed, but an agent may wait in the room.
      if (problem.code !== 'unreachable') await this.#client.tell(this.#deleteRoom(room, left()))
      return problem
    }
    const outcome = (await order.lastCheck()) ?? (await this.#dial(order, sent.reply.json, left()))
    if (outcome.outcome === 'refused') {
      const ids = { dispatch_id: dispatchId, room }
      await this.#client.tell(
        this.#request('AgentDispatchService/DeleteDispatch', roomGrant(room), ids, left()),
      )
    }
    return outcome
  }

  async #dial(order: CallOrder, agentDispatch: unknown, timeoutMs: number): Promise<DispatchOutcome> {
    const participant = {
      ...{ sip_trunk_id: this.#trunkId, sip_call_to: order.to, sip_number: order.from },
      room_name: roomOf(order.callId),
      participant_identity: calleeOf(order.callId),
      participant_metadata: order.callId,
      max_call_duration: `${order.maxDurationSeconds}s`,
    }
    const attempt = await this.#client.attempt(
      this.#request('SIP/CreateSIPParticipant', { sip: { call: true } }, participant, timeoutMs),
    )
    if (!('reply' in attempt)) return attempt
    const { reply } = attempt
    if (isSuccess(reply)) {
      const id = providerIdOf(memberOf(reply.json, 'sip_call_id'))
      if (id === null) return unknownOutcome(`LiveKit answered ${reply.status}, and the body cannot be read`)
      const call: ProviderCall = { providerCallId: id, state: 'queued', durationSeconds: null }
      return { outcome: 'dispatched', call, answer: { dispatch: agentDispatch, sip_participant: reply.json } }
    }
    const { code, words, dialed } = errorOf(reply)
    return dialed || undecidedCodes.has(code ?? '')
      ? unknownOutcome(words)
      : this.#client.failed(reply, code, words)
  }

  /** Finds the callee in the room of the call. null: the room has been closed, which happens soon after a call. */
  async find({ callId }: Pick<CallOrder, 'callId'>): Promise<ProviderCall | null> {
    const room = roomOf(callId)
    const reply = await this.#client.ask(
      this.#request('RoomService/ListParticipants', roomGrant(room), { room }, questionTimeoutMs),
    )
    if (errorOf(reply).code === 'not_found') return null
    if (!isSuccess(reply) || reply.json === undefined) throw this.#client.unclear(reply)
    const callee = listOf(memberOf(reply.json, 'participants')).find(
      (participant) => memberOf(participant, 'identity') === calleeOf(callId),
    )
    const call = callee === undefined ? null : callOfParticipant(callee)
    if (callee !== undefined && call === null) throw this.#client.unclear(reply)
    return call
  }

  /** Closes the room, which ends the call. */
  async cancel(callId: string, sipCallId: string): Promise<ProviderCall> {
    const last = await this.find({ callId })
    const reply = await this.#client.ask(this.#deleteRoom(roomOf(callId), questionTimeoutMs))
    const { code, words } = errorOf(reply)
    if (code === 'not_found') throw new CannotCancel('LiveKit has no such call any more: it has ended')
    if (!isSuccess(reply)) throw new CannotCancel(words)
    const state = last?.state === 'in_progress' || last?.state === 'completed' ? 'completed' : 'canceled'
    return { providerCallId: last?.providerCallId ?? sipCallId, state, durationSeconds: null }
  }

  mayBeSigned(request: Pick<CallbackRequest, 'headers'>): boolean {
    return this.#claimsOf(request) !== null
  }

  #claimsOf({ headers }: Pick<CallbackRequest, 'headers'>): LivekitClaims | null {
    const token = (headers.authorization ?? '').replace(/^Bearer /i, '')
    return readLivekitToken(this.#apiKey, this.#apiSecret, token, unixSeconds())
  }

  async parseCallback(request: CallbackRequest): Promise<CallbackReport | null> {
    const claims = this.#claimsOf(request)
    if (claims === null || !matchesBody(claims, request.body))
      throw new BadSignature('the token of this webhook is not signed by this key for this body')
    const message = await parseUntrustedJson(request.orgId, request.body, {
      containersMax: callbackContainersMax,
    })
    const [event, participant] = [memberOf(message, 'event'), memberOf(message, 'participant')]
    const callId = callIdOf(textOf(memberOf(participant, 'identity'))?.replace(/^callee-/, ''))
    const leaves = event === 'participant_left' || event === 'participant_connection_aborted'
    if (callId === null || !(leaves || event === 'participant_joined')) return null
    if (memberOf(memberOf(message, 'room'), 'name') !== roomOf(callId)) return null
    const call = callOfParticipant(participant, leaves)
    return call === null ? null : { callId, call }
  }

  #deleteRoom(room: string, timeoutMs: number): OutboundRequest {
    return this.#request('RoomService/DeleteRoom', { video: { roomCreate: true } }, { room }, timeoutMs)
  }

  #request(method: string, grants: object, body: object, timeoutMs: number): OutboundRequest {
    const token = livekitToken(this.#apiKey, this.#apiSecret, { ...grants }, unixSeconds())
    return {
      method: 'POST',
      url: `${this.#base}/twirp/livekit.${method}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      timeoutMs,
      maxBytes: answerBytesMax,
    }
  }
}

type SendResult = { reply: ProviderReply } | Extract<DispatchOutcome, { outcome: 'refused' | 'unknown' }>

/** Why no agent was sent. Even an unknown outcome is a refusal here, because no phone can ring. */
function agentProblem(sent: SendResult) {
  if ('reply' in sent) {
    const { code, words } = errorOf(sent.reply)
    return refusedOutcome(code ?? `http_${sent.reply.status}`, `No agent could be sent to the call: ${words}`)
  }
  return sent.outcome === 'refused'
    ? sent
    : refusedOutcome('no_agent', `No agent could be sent to the call: ${sent.reason}`)
}

function agentMetadata(order: CallOrder) {
  const { callId, to, from, instructions, voice, variables, metadata } = order
  return {
    call_id: callId,
    to,
    from,
    instructions,
    greeting: openingWordsOf(order),
    voice,
    variables,
    metadata,
  }
}

/**
 * Reads Twirp's `{code, msg, meta}` (twitchtv.github.io/twirp/docs/errors.html). `dialed`: whether the error contains
 * an answer from the callee's side.
 */
function errorOf(reply: ProviderReply): { code: string | null; words: string; dialed: boolean } {
  const { code, msg, meta } = membersOf(reply.json)
  const words = textOf(msg) ?? (isSuccess(reply) || reply.status >= 500 ? '' : reply.text.trim())
  const answered = `LiveKit answered ${reply.status}`
  return {
    code: isSuccess(reply) ? null : textOf(code),
    words: words || answered,
    dialed: textOf(membersOf(meta).sip_status_code) !== null,
  }
}
