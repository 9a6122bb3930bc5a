import { createHmac, randomBytes } from 'node:crypto'
import { type CallbackToSend, type Stage, type StandInCall, StandInCalls } from './calls.ts'
import { type ReceivedRequest, StandInServer, type StubAnswer } from './server.ts'

type Details = { callback: string | null; events: string[]; request: Record<string, string> }
type Call = StandInCall<Details>

/** The status of each stage (twilio.com/docs/voice/api/call-resource#call-status-values). */
const statuses: Record<Stage, string> = {
  ...{ queued: 'queued', ringing: 'ringing', in_progress: 'in-progress', completed: 'completed' },
  ...{ busy: 'busy', no_answer: 'no-answer', failed: 'failed', canceled: 'canceled' },
}

/** The event of a stage. All final stages have `completed`. */
const eventOf = (stage: Stage) =>
  ({ queued: 'initiated', ringing: 'ringing', in_progress: 'answered' })[stage as 'queued'] ?? 'completed'

const page = 'https://www.twilio.com/docs/errors'
/** An error answer in the format of RestException in Twilio's SDK. */
export const twilioError = (status: number, code: number, message: string): StubAnswer => ({
  status,
  body: { code, message, more_info: `${page}/${code}`, status },
})

/**
 * A stand-in for calls, with signed status callbacks.
 * @param owned the numbers from which the account may call
 */
export class TwilioStandIn {
  readonly accountSid: string
  readonly authToken: string
  readonly owned: string[]
  readonly calls = new StandInCalls<Details>((call) => this.#callback(call))
  readonly server = new StandInServer((request) => this.#handle(request))

  private constructor(accountSid: string, authToken: string, owned: string[]) {
    this.accountSid = accountSid
    this.authToken = authToken
    this.owned = owned
  }

  static async start({
    accountSid = `AC${'0'.repeat(31)}1`,
    authToken = 'twilio-auth-token-of-a-test',
    owned = ['+14155550100'],
  } = {}): Promise<TwilioStandIn> {
    const standIn = new TwilioStandIn(accountSid, authToken, owned)
    await standIn.server.listen()
    return standIn
  }

  #handle(request: ReceivedRequest): StubAnswer | Promise<StubAnswer> {
    const [, sid, rest = ''] = /^\/2010-04-01\/Accounts\/(\w+)\/(.*)\.json$/.exec(request.path) ?? []
    const basic = `Basic ${Buffer.from(`${this.accountSid}:${this.authToken}`).toString('base64')}`
    if (sid !== this.accountSid || request.headers.authorization !== basic)
      return twilioError(401, 20003, 'Authenticate')
    const form = new URLSearchParams(request.body)
    if (rest === 'Calls') return request.method === 'POST' ? this.#create(form) : this.#list(request.query)
    const [, callSid = '', part] = /^Calls\/(CA\w{32})(\/Events)?$/.exec(rest) ?? []
    const call = this.calls.find(callSid)
    if (!call) return twilioError(404, 20404, `The requested resource ${request.path} was not found`)
    if (part) return this.#events(call)
    return request.method === 'POST' ? this.#update(call, form) : { status: 200, body: this.#resource(call) }
  }

  #create(form: URLSearchParams): StubAnswer {
    const [to, from] = [form.get('To') ?? '', form.get('From') ?? '']
    if (!to) return twilioError(400, 21201, "No 'To' number is specified")
    if (!from) return twilioError(400, 21213, "No 'From' number is specified")
    if (!form.get('Twiml') && !form.get('Url')) return twilioError(400, 21205, 'Url parameter is required')
    if (!/^\+[1-9]\d{6,14}$/.test(to) || to === from)
      return twilioError(400, 21211, `The phone number you are attempting to call, ${to}, is not valid.`)
    if (!this.owned.includes(from))
      return twilioError(400, 21210, `The source phone number provided, ${from}, is not yet verified.`)
    const callback = form.get('StatusCallback')
    const request = Object.fromEntries([...form].map(([name, value]) => [snake(name), value]))
    const events = form.getAll('StatusCallbackEvent')
    const call = this.calls.dial({
      id: `CA${randomBytes(16).toString('hex')}`,
      callId: callback === null ? null : new URL(callback).searchParams.get('call_id'),
      ...{ to, from, details: { callback, events: events.length > 0 ? events : ['completed'], request } },
    })
    return { status: 201, body: this.#resource(call) }
  }

  #list(query: URLSearchParams): StubAnswer {
    const wanted = this.calls.all.filter(
      ({ to, from }) => [to, null].includes(query.get('To')) && [from, null].includes(query.get('From')),
    )
    const size = Number(query.get('PageSize') ?? 50)
    const uri = `/2010-04-01/Accounts/${this.accountSid}/Calls.json`
    const calls = wanted.toReversed().slice(0, size)
    return {
      status: 200,
      body: {
        ...{ calls: calls.map((call) => this.#resource(call)), page: 0, page_size: size, uri, start: 0 },
        ...{ end: calls.length - 1, first_page_uri: uri, next_page_uri: null, previous_page_uri: null },
      },
    }
  }

  /** The events of a call, beginning with the request that created it (api.v2010.account.call.call_event). */
  #events({ id, details }: Call): StubAnswer {
    const url = `https://api.twilio.com/2010-04-01/Accounts/${this.accountSid}/Calls/${id}.json`
    const made = {
      request: { method: 'POST', url, parameters: details.request },
      response: { response_code: 201 },
    }
    return { status: 200, body: { events: [made], page: 0, page_size: 50, next_page_uri: null } }
  }

  async #update(call: Call, form: URLSearchParams): Promise<StubAnswer> {
    const wanted = form.get('Status')
    if (wanted !== 'completed' && wanted !== 'canceled') return twilioError(400, 21218, 'Invalid Status')
    if (call.endedAt !== null) return twilioError(400, 21220, 'Call is not in-progress. Cannot redirect.')
    // A canceled call without an answer has the status `canceled`.
    if (call.stage === 'in_progress' && wanted === 'completed') await this.calls.move(call, 'completed')
    else if (call.stage !== 'in_progress') await this.calls.move(call, 'canceled')
    return { status: 200, body: this.#resource(call) }
  }

  #resource(call: Call) {
    const { id, to, from, answeredAt, endedAt, createdAt, stage } = call
    const date = (time: number | null) =>
      time === null ? null : new Date(time).toUTCString().replace('GMT', '+0000')
    const uri = `/2010-04-01/Accounts/${this.accountSid}/Calls/${id}`
    const seconds = endedAt && answeredAt ? String(Math.round((endedAt - answeredAt) / 1000)) : null
    return {
      ...{ sid: id, account_sid: this.accountSid, api_version: '2010-04-01', direction: 'outbound-api' },
      ...{ to, to_formatted: to, from, from_formatted: from, status: statuses[stage] },
      ...{ date_created: date(createdAt), date_updated: date(endedAt ?? answeredAt ?? createdAt) },
      ...{ start_time: date(answeredAt), end_time: date(endedAt), duration: seconds, price: null },
      ...{ price_unit: 'USD', answered_by: null, parent_call_sid: null, phone_number_sid: null },
      ...{ forwarded_from: null, group_sid: null, caller_name: null, trunk_sid: null, queue_time: '0' },
      ...{ uri: `${uri}.json`, subresource_uris: { events: `${uri}/Events.json` } },
    }
  }

  #callback(call: Call): CallbackToSend {
    const { callback: url, events } = call.details
    if (url === null || !events.includes(eventOf(call.stage))) return null
    const talked = call.endedAt && call.answeredAt ? (call.endedAt - call.answeredAt) / 1000 : 0
    const form = new URLSearchParams({
      ...{
        CallSid: call.id,
        AccountSid: this.accountSid,
        ApiVersion: '2010-04-01',
        Direction: 'outbound-api',
      },
      ...{
        To: call.to,
        From: call.from,
        Called: call.to,
        Caller: call.from,
        CallStatus: statuses[call.stage],
      },
      ...{ Timestamp: new Date(this.calls.now).toUTCString(), CallbackSource: 'call-progress-events' },
      ...(call.endedAt !== null && {
        CallDuration: String(talked),
        Duration: String(Math.ceil(talked / 60)),
      }),
    })
    form.sort()
    const text = url + [...form].map(([name, value]) => name + value).join('')
    const signature = createHmac('sha1', this.authToken).update(text).digest('base64')
    return {
      ...{ url, body: form.toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
    }
  }
}

const snake = (name: string) => name.replaceAll(/(?<!^)([A-Z])/g, '_$1').toLowerCase()
