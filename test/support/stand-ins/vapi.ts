import { randomUUID } from 'node:crypto'
import { type CallbackToSend, type Stage, type StandInCall, StandInCalls } from './calls.ts'
import { type ReceivedRequest, StandInServer, type StubAnswer } from './server.ts'

type Json = Record<string, unknown>
type Server = { url: string; headers?: Record<string, string> }
type Body = {
  name?: string
  assistantId?: string
  phoneNumberId?: string
  customer?: { number?: string; externalId?: string }
  assistantOverrides?: Json & { server?: Server; serverMessages?: string[] }
}
type Call = StandInCall<Body>

const statusOf = (stage: Stage) =>
  ({ queued: 'queued', ringing: 'ringing', in_progress: 'in-progress' })[stage as 'queued'] ?? 'ended'

/** Why a call ended (docs.vapi.ai/calls/call-ended-reason). */
const reasons: Partial<Record<Stage, string>> = {
  ...{ completed: 'customer-ended-call', busy: 'customer-busy', no_answer: 'customer-did-not-answer' },
  ...{ failed: 'twilio-failed-to-connect-call', canceled: 'manually-canceled' },
}

export const vapiError = (statusCode: number, error: string, message: string | string[]): StubAnswer => ({
  status: statusCode,
  body: { message, error, statusCode },
})

/** A stand-in for Vapi that reports calls with server messages. */
export class VapiStandIn {
  readonly apiKey: string
  readonly assistantId: string
  readonly phoneNumberId: string
  readonly calls = new StandInCalls<Body>((call) => this.#callback(call))
  readonly server = new StandInServer((request) => this.#handle(request))

  private constructor(apiKey: string, assistantId: string, phoneNumberId: string) {
    this.apiKey = apiKey
    this.assistantId = assistantId
    this.phoneNumberId = phoneNumberId
  }

  static async start({
    apiKey = 'vapi-api-key-of-a-test',
    assistantId = randomUUID() as string,
    phoneNumberId = randomUUID() as string,
  } = {}): Promise<VapiStandIn> {
    const standIn = new VapiStandIn(apiKey, assistantId, phoneNumberId)
    await standIn.server.listen()
    return standIn
  }

  #handle({ method, path, headers, query, body }: ReceivedRequest): StubAnswer | Promise<StubAnswer> {
    const [, controlled] = /^\/control\/([\w-]+)$/.exec(path) ?? []
    if (controlled) return this.#control(controlled, body)
    if (headers.authorization !== `Bearer ${this.apiKey}`)
      return vapiError(
        401,
        'Unauthorized',
        'Invalid Key. Hot tip, you may be using the public key instead of the private.',
      )
    if (path === '/call') return method === 'POST' ? this.#create(JSON.parse(body)) : this.#list(query)
    const call = this.calls.find(path.replace('/call/', ''))
    return call
      ? { status: 200, body: this.#resource(call) }
      : vapiError(404, 'Not Found', `No call found with id ${path.replace('/call/', '')}`)
  }

  #create(body: Body): StubAnswer {
    const { name, customer, assistantId, phoneNumberId } = body
    const problems = [
      ...(/^\+[1-9]\d{6,14}$/.test(customer?.number ?? '')
        ? []
        : [
            'customer.number must be a valid phone number in the E.164 format. Hot tip, you may be missing the country code.',
          ]),
      ...((name ?? '').length > 40 ? ['name must be shorter than or equal to 40 characters'] : []),
    ]
    if (problems.length > 0) return vapiError(400, 'Bad Request', problems)
    if (assistantId !== this.assistantId)
      return vapiError(
        400,
        'Bad Request',
        `Couldn't Get Assistant. \`assistantId\` ${assistantId} Does Not Exist.`,
      )
    if (phoneNumberId !== this.phoneNumberId)
      return vapiError(
        400,
        'Bad Request',
        `Couldn't Get Phone Number. \`phoneNumberId\` ${phoneNumberId} Does Not Exist.`,
      )
    const call = this.calls.dial({
      ...{
        id: randomUUID(),
        callId: name ?? null,
        to: customer?.number ?? '',
        from: phoneNumberId,
        details: body,
      },
    })
    return { status: 201, body: this.#resource(call) }
  }

  #list(query: URLSearchParams): StubAnswer {
    const time = (name: string, otherwise: number) => Date.parse(query.get(name) ?? '') || otherwise
    const wanted = this.calls.all.filter(
      ({ createdAt, details }) =>
        [details.assistantId, null].includes(query.get('assistantId')) &&
        createdAt >= time('createdAtGe', 0) &&
        createdAt <= time('createdAtLe', Infinity) &&
        createdAt < time('createdAtLt', Infinity),
    )
    const newest = wanted.toReversed().slice(0, Number(query.get('limit') ?? 100))
    return { status: 200, body: newest.map((call) => this.#resource(call)) }
  }

  async #control(id: string, body: string): Promise<StubAnswer> {
    const call = this.calls.find(id)
    if (!call || call.endedAt !== null) return vapiError(404, 'Not Found', 'Call not found')
    if ((JSON.parse(body) as Json).type !== 'end-call')
      return vapiError(400, 'Bad Request', 'Unknown control')
    await this.calls.move(call, call.stage === 'in_progress' ? 'completed' : 'canceled')
    return { status: 200, body: {} }
  }

  #resource({ id, details, createdAt, answeredAt, endedAt, stage }: Call): Json {
    const date = (time: number) => new Date(time).toISOString()
    const controlUrl = `${this.server.url}/control/${id}`
    return {
      ...{ id, orgId: '00000000-0000-4000-8000-000000000001', type: 'outboundPhoneCall', ...details },
      ...{ createdAt: date(createdAt), updatedAt: date(endedAt ?? answeredAt ?? createdAt), cost: 0 },
      ...{ status: statusOf(stage), phoneCallProvider: 'twilio', phoneCallTransport: 'pstn' },
      ...(stage !== 'queued' && { monitor: { controlUrl } }),
      ...(answeredAt !== null && { startedAt: date(answeredAt) }),
      ...(endedAt !== null && { endedAt: date(endedAt), endedReason: reasons[stage] }),
    }
  }

  /**
   * A message in the form of docs.vapi.ai/server-url/events, with the headers of the request that placed the call.
   */
  #callback(call: Call): CallbackToSend {
    const { server, serverMessages = ['status-update'] } = call.details.assistantOverrides ?? {}
    if (!server || !serverMessages.includes('status-update')) return null
    const message = {
      ...{ type: 'status-update', status: statusOf(call.stage), timestamp: this.calls.now },
      ...(call.endedAt !== null && { endedReason: reasons[call.stage] }),
      call: this.#resource(call),
    }
    return {
      ...{ url: server.url, body: JSON.stringify({ message }) },
      headers: { 'content-type': 'application/json', ...server.headers },
    }
  }
}
