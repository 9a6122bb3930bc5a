import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type CallbackToSend, type Stage, type StandInCall, StandInCalls } from './calls.ts'
import { type ReceivedRequest, StandInServer, type StubAnswer } from './server.ts'

type Json = Record<string, unknown>
type Room = { name: string; sid: string; dispatches: Json[] }
type Details = { room: string; identity: string; metadata: string }
type Call = StandInCall<Details>

/** The HTTP status of each Twirp error (twitchtv/twirp, errors.go). */
const statuses: Record<string, number> = {
  ...{ invalid_argument: 400, malformed: 400, not_found: 404, permission_denied: 403, unauthenticated: 401 },
  ...{ deadline_exceeded: 408, canceled: 408, resource_exhausted: 429, failed_precondition: 412 },
  ...{ aborted: 409, internal: 500, unavailable: 503, unimplemented: 501 },
}

/** An error answer in the format of Twirp. */
export const twirpError = (code: string, msg: string, meta?: Record<string, string>): StubAnswer => ({
  status: statuses[code] ?? 500,
  body: { code, msg, ...(meta && { meta }) },
})

/** The values of `sip.callStatus` for an outbound call. */
const sipStatus = (stage: Stage) =>
  ({ queued: 'dialing', ringing: 'dialing', in_progress: 'active' })[stage as 'queued'] ?? 'hangup'

/** `DisconnectReason` by the end of a call. */
const disconnects: Partial<Record<Stage, string>> = {
  ...{ completed: 'CLIENT_INITIATED', busy: 'USER_REJECTED', no_answer: 'USER_UNAVAILABLE' },
  ...{ failed: 'SIP_TRUNK_FAILURE', canceled: 'ROOM_DELETED' },
}

/** A stand-in for agents, SIP participants and rooms over Twirp, with signed webhooks. */
export class LivekitStandIn {
  readonly apiKey: string
  readonly apiSecret: string
  readonly trunkId: string
  /** The webhook address in livekit.yaml; null: no webhooks. */
  webhookUrl: string | null = null
  readonly rooms = new Map<string, Room>()
  readonly calls = new StandInCalls<Details>((call) => this.#webhook(call))
  readonly server = new StandInServer((request) => this.#handle(request))

  private constructor(apiKey: string, apiSecret: string, trunkId: string) {
    this.apiKey = apiKey
    this.apiSecret = apiSecret
    this.trunkId = trunkId
  }

  static async start({
    apiKey = 'APItestkey',
    apiSecret = 'livekit-api-secret-of-a-test-0001',
    trunkId = 'ST_trunkoftest',
  } = {}): Promise<LivekitStandIn> {
    const standIn = new LivekitStandIn(apiKey, apiSecret, trunkId)
    await standIn.server.listen()
    return standIn
  }

  #handle({ path, headers, body }: ReceivedRequest): StubAnswer | Promise<StubAnswer> {
    const claims = this.#claims((headers.authorization ?? '').replace(/^Bearer /, ''))
    // LiveKit's middleware answers in plain text.
    if (typeof claims === 'string')
      return { status: 401, body: claims, headers: { 'content-type': 'text/plain' } }
    const request = JSON.parse(body || '{}') as Json
    const [video, sip] = [claims.video as Json | undefined, claims.sip as Json | undefined]
    const isAdmin = (room: unknown) => video?.roomAdmin === true && video.room === room
    const denied = twirpError('unauthenticated', 'permissions denied')
    switch (path.replace('/twirp/livekit.', '')) {
      case 'AgentDispatchService/CreateDispatch':
        return isAdmin(request.room) ? this.#createDispatch(request) : denied
      case 'AgentDispatchService/DeleteDispatch':
        return isAdmin(request.room) ? this.#deleteDispatch(request) : denied
      case 'AgentDispatchService/ListDispatch':
        if (!isAdmin(request.room)) return denied
        return said({ agent_dispatches: this.rooms.get(request.room as string)?.dispatches ?? [] })
      case 'SIP/CreateSIPParticipant':
        return sip?.call === true ? this.#dial(request) : denied
      case 'RoomService/ListParticipants':
        if (!isAdmin(request.room)) return denied
        return said({ participants: this.#callsIn(request.room).map((call) => this.#participant(call)) })
      case 'RoomService/DeleteRoom':
        return video?.roomCreate === true ? this.#deleteRoom(request.room as string) : denied
      default:
        return twirpError('bad_route', `no handler for path "${path}"`)
    }
  }

  /** The claims of a token, or why it is invalid. */
  #claims(token: string): Json | string {
    const [head = '', payload = '', signature] = token.split('.')
    const expected = createHmac('sha256', this.apiSecret).update(`${head}.${payload}`).digest('base64url')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') as Json
    if (claims.iss !== this.apiKey) return 'invalid API key'
    if (signature !== expected) return 'invalid authorization token'
    return Number(claims.exp) * 1000 > Date.now() ? claims : 'invalid authorization token: token is expired'
  }

  #createDispatch({ room: name, agent_name: snakeName, agentName, metadata = '' }: Json): StubAnswer {
    if (!name) return twirpError('invalid_argument', 'missing room name')
    const room = this.#room(name as string)
    const dispatch = {
      ...{
        id: `AD_${randomBytes(6).toString('hex')}`,
        agent_name: snakeName ?? agentName,
        room: name,
        metadata,
      },
      state: { jobs: [], created_at: String(this.calls.now), deleted_at: '0' },
    }
    room.dispatches.push(dispatch)
    return said(dispatch)
  }

  #deleteDispatch({ room: name, dispatch_id: snakeId, dispatchId = snakeId }: Json): StubAnswer {
    const room = this.rooms.get(name as string)
    const at = room?.dispatches.findIndex(({ id }) => id === dispatchId) ?? -1
    return at < 0
      ? twirpError('not_found', 'dispatch does not exist')
      : said(room!.dispatches.splice(at, 1)[0]!)
  }

  #dial(request: Json): StubAnswer {
    const text = (name: string) =>
      (request[name] ??
        request[name.replaceAll(/_(\w)/g, (_all, letter) => letter.toUpperCase())] ??
        '') as string
    const [to, room, trunk] = [text('sip_call_to'), text('room_name'), text('sip_trunk_id')]
    if (!trunk) return twirpError('invalid_argument', 'missing sip trunk id and sip number')
    if (!to) return twirpError('invalid_argument', 'missing sip callee number')
    if (to.includes('@'))
      return twirpError(
        'invalid_argument',
        'SipCallTo should be a phone number or SIP user, not a full SIP URI',
      )
    if (!room) return twirpError('invalid_argument', 'missing room name')
    if (trunk !== this.trunkId) return twirpError('not_found', 'requested sip trunk does not exist')
    this.#room(room)
    const identity = text('participant_identity') || `sip_${to}`
    const call = this.calls.dial({
      ...{ id: `SCL_${randomBytes(6).toString('hex')}`, callId: room.replace(/^call-/, ''), to },
      ...{ from: text('sip_number'), details: { room, identity, metadata: text('participant_metadata') } },
    })
    return said({
      ...{ participant_id: `PA_${call.id.slice(4)}`, participant_identity: identity, room_name: room },
      sip_call_id: call.id,
    })
  }

  async #deleteRoom(name: string): Promise<StubAnswer> {
    if (!this.rooms.has(name)) return twirpError('not_found', 'requested room does not exist')
    for (const call of this.#callsIn(name))
      await this.calls.move(call, call.answeredAt ? 'completed' : 'canceled')
    this.rooms.delete(name)
    return said({})
  }

  #room(name: string): Room {
    const room = this.rooms.get(name) ?? { name, sid: `RM_${randomBytes(6).toString('hex')}`, dispatches: [] }
    this.rooms.set(name, room)
    return room
  }

  #callsIn(room: unknown): Call[] {
    return this.calls.all.filter(({ details, endedAt }) => details.room === room && endedAt === null)
  }

  #participant({ id, to, createdAt, stage, details }: Call): Json {
    return {
      ...{ sid: `PA_${id.slice(4)}`, identity: details.identity, state: 'ACTIVE', kind: 'SIP' },
      ...{ metadata: details.metadata, joined_at: String(Math.floor(createdAt / 1000)), name: '' },
      attributes: {
        ...{ 'sip.callID': id, 'sip.callStatus': sipStatus(stage), 'sip.phoneNumber': to },
        'sip.trunkID': this.trunkId,
      },
    }
  }

  /** A webhook whose token contains the sha256 of the body, as in livekit/protocol, webhook/url_notifier.go. */
  #webhook(call: Call): CallbackToSend {
    // LiveKit sends no webhook for an answered call.
    if (this.webhookUrl === null || call.stage === 'in_progress') return null
    const { joined_at: joinedAt, ...participant } = this.#participant(call)
    const body = JSON.stringify({
      event: call.endedAt === null ? 'participant_joined' : 'participant_left',
      room: { name: call.details.room, sid: this.#room(call.details.room).sid },
      participant: {
        ...{ ...participant, joinedAt },
        ...(call.endedAt !== null && { state: 'DISCONNECTED', disconnectReason: disconnects[call.stage] }),
      },
      ...{ id: `EV_${randomBytes(6).toString('hex')}`, createdAt: String(Math.floor(this.calls.now / 1000)) },
    })
    const now = Math.floor(Date.now() / 1000)
    const sha256 = createHash('sha256').update(body).digest('base64')
    const claims = { iss: this.apiKey, nbf: now, exp: now + 300, sha256 }
    const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const token = `${text}.${createHmac('sha256', this.apiSecret).update(text).digest('base64url')}`
    return {
      ...{ url: this.webhookUrl, body },
      headers: { 'content-type': 'application/webhook+json', authorization: token },
    }
  }
}

const said = (body: Json): StubAnswer => ({ status: 200, body })
