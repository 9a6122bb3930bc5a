import { membersOf } from '../../platform/members.ts'
import type { OutboundRequest } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import { callIdIn, providerIdOf, withCallId } from './call-id.ts'
import {
  BadSignature,
  type CallbackReport,
  type CallbackRequest,
  type CallOrder,
  type CallState,
  CannotCancel,
  type DispatchOutcome,
  type Provider,
  type ProviderCall,
  Unreachable,
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
import { isSignedByTwilio, readForm } from './twilio-signature.ts'
import { twimlMax, twimlOf } from './twiml.ts'

/** The states of a call by its status. Only callbacks have `initiated` (twilio.com/docs/voice/api/call-resource). */
const states: Record<string, CallState> = {
  queued: 'queued',
  initiated: 'queued',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'failed',
  canceled: 'canceled',
}

/** `find` checks at most this many calls between the same two numbers. */
const candidatesMax = 10
/** How far Twilio's clock may be behind Crosswalk's. */
const skewMs = 60_000

/** Places calls with Twilio's Call resource, API version 2010-04-01 (twilio-oai, spec/json/twilio_api_v2010.json). */
export class TwilioProvider implements Provider {
  readonly #authToken: string
  readonly #account: string
  readonly #authorization: string
  readonly #client: ProviderClient

  constructor(
    { account_sid: accountSid = '', auth_token: authToken = '' }: Credentials,
    { outbound, owner, twilioApiUrl }: Pick<VoiceProviderDeps, 'outbound' | 'owner' | 'twilioApiUrl'>,
  ) {
    const login = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
    this.#authToken = authToken
    this.#account = `${twilioApiUrl}/2010-04-01/Accounts/${accountSid}`
    this.#authorization = `Basic ${login}`
    this.#client = new ProviderClient({ vendor: 'Twilio', outbound, owner, secrets: [authToken, login] })
  }

  async dispatch(order: CallOrder, timeoutMs: number): Promise<DispatchOutcome> {
    const twiml = twimlOf(order)
    if (twiml === null)
      return refusedOutcome(
        'no_greeting',
        'Twilio has no AI agent and only speaks the greeting: use a persona that has a greeting',
      )
    if (twiml.length > twimlMax)
      return refusedOutcome(
        'greeting_too_long',
        `Twilio takes ${twimlMax} characters of TwiML, this greeting makes ${twiml.length}`,
      )
    const form = new URLSearchParams({ To: order.to, From: order.from, Twiml: twiml })
    form.set('TimeLimit', String(order.maxDurationSeconds))
    if (order.callbackUrl !== null) {
      form.set('StatusCallback', withCallId(order.callbackUrl, order.callId))
      for (const event of ['initiated', 'ringing', 'answered', 'completed'])
        form.append('StatusCallbackEvent', event)
    }
    const objection = await order.lastCheck()
    if (objection) return objection
    const attempt = await this.#client.attempt(this.#post('/Calls.json', form, timeoutMs))
    if (!('reply' in attempt)) return attempt
    const { reply } = attempt
    if (reply.status < 200 || reply.status >= 300)
      return this.#client.failed(reply, codeOf(reply), wordsOf(reply))
    const call = callOf(reply.json)
    return call === null
      ? unknownOutcome(`Twilio answered ${reply.status}, and the body cannot be read`)
      : { outcome: 'dispatched', call, answer: reply.json }
  }

  /** Searches the events of calls between the two numbers: a Twilio call has no field for Crosswalk's id. */
  async find(order: Pick<CallOrder, 'callId' | 'to' | 'from'>, since: Date): Promise<ProviderCall | null> {
    const deadline = Date.now() + questionTimeoutMs
    const left = () => Math.max(1, deadline - Date.now())
    const query = new URLSearchParams({ To: order.to, From: order.from, PageSize: '50' })
    const reply = await this.#get(`/Calls.json?${query}`, left())
    const calls = membersOf(reply.json).calls
    if (reply.status !== 200 || !Array.isArray(calls)) throw this.#client.unclear(reply)
    const candidates = calls.map(membersOf).filter((call) => {
      const created = Date.parse(textOf(call.date_created) ?? '')
      return call.direction === 'outbound-api' && !(created < since.getTime() - skewMs)
    })
    const unnamed: ProviderCall[] = []
    for (const candidate of candidates.slice(0, candidatesMax)) {
      const call = callOf(candidate)
      if (call === null) throw this.#client.unclear(reply)
      const named = await this.#callIdsOf(call.providerCallId, left())
      if (named.includes(order.callId)) return call
      if (named.length === 0) unnamed.push(call)
    }
    if (unnamed.length > 1 || candidates.length > candidatesMax)
      throw new Unreachable(
        'Twilio has several calls between these numbers, and Crosswalk cannot tell which one this is',
      )
    return unnamed[0] ?? null
  }

  /** Crosswalk's call ids in the events of a call: in the request that created it, and in callbacks. */
  async #callIdsOf(sid: string, timeoutMs: number): Promise<string[]> {
    const reply = await this.#get(`/Calls/${encodeURIComponent(sid)}/Events.json`, timeoutMs)
    if (reply.status === 404) return []
    if (reply.status !== 200) throw this.#client.unclear(reply)
    const requests = listOf(membersOf(reply.json).events).map((event) => membersOf(event).request)
    const text = JSON.stringify(requests)
    return [...text.matchAll(/call_id=([0-9a-f-]{36})/g)].map(([, id = '']) => id)
  }

  async cancel(_callId: string, sid: string): Promise<ProviderCall> {
    const form = new URLSearchParams({ Status: 'completed' })
    const request = this.#post(`/Calls/${encodeURIComponent(sid)}.json`, form, questionTimeoutMs)
    const reply = await this.#client.ask(request)
    if (reply.status >= 400)
      throw new CannotCancel(wordsOf(reply) ?? `Twilio answered ${reply.status} to the end of the call`)
    const call = callOf(reply.json)
    if (call === null) throw this.#client.unclear(reply)
    return call
  }

  async parseCallback({ url, headers, body }: CallbackRequest): Promise<CallbackReport | null> {
    const form = readForm(body)
    if (!form || !isSignedByTwilio(this.#authToken, url, form, headers['x-twilio-signature'] ?? ''))
      throw new BadSignature('X-Twilio-Signature does not match this account')
    const call = callOf({
      sid: form.get('CallSid'),
      status: form.get('CallStatus'),
      duration: form.get('CallDuration'),
    })
    const callId = callIdIn(url)
    return call === null || callId === null ? null : { callId, call }
  }

  #get(path: string, timeoutMs: number): Promise<ProviderReply> {
    const headers = { authorization: this.#authorization }
    const url = this.#account + path
    return this.#client.ask({ method: 'GET', url, headers, timeoutMs, trusted: true })
  }

  #post(path: string, form: URLSearchParams, timeoutMs: number): OutboundRequest {
    const headers = {
      authorization: this.#authorization,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const url = this.#account + path
    return { method: 'POST', url, headers, body: form.toString(), timeoutMs, trusted: true }
  }
}

function callOf(value: unknown): ProviderCall | null {
  const { sid, status, duration } = membersOf(value)
  const [providerCallId, state] = [providerIdOf(sid), states[textOf(status) ?? '']]
  if (providerCallId === null || state === undefined) return null
  const seconds = /^\d{1,9}$/.test(textOf(duration) ?? '') ? Number(duration) : null
  return { providerCallId, state, durationSeconds: state === 'completed' ? seconds : null }
}

/** Reads Twilio's code of an error, such as 21211 (twilio.com/docs/api/errors). */
function codeOf({ json }: ProviderReply): string | null {
  const { code } = membersOf(json)
  return typeof code === 'number' ? String(code) : textOf(code)
}

const wordsOf = ({ json }: ProviderReply): string | null => textOf(membersOf(json).message)
