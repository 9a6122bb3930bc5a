import { createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../platform/constant-time.ts'
import { membersOf } from '../../platform/members.ts'
import { parseUntrustedJson } from '../../platform/outbound/untrusted-json.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import { callIdIn, withCallId } from './call-id.ts'
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
  Unreachable,
  type VoiceProviderDeps,
} from './provider.ts'
import {
  ProviderClient,
  type ProviderReply,
  questionTimeoutMs,
  textOf,
  unknownOutcome,
} from './provider-client.ts'
import { callOfMessage, vapiCall, vapiErrorText } from './vapi-call.ts'

/**
 * The maximum size of an answer in bytes, and of its objects and lists. An ended call contains its transcript, which may be
 * large.
 */
const [answerBytesMax, answerContainersMax] = [32 * 1024 ** 2, 500_000]
/** How many calls a page of Vapi's list has, and how many pages `find` reads at most. */
const [pageSize, pagesMax] = [100, 10]
/** How far Vapi's clock may differ from Crosswalk's, and how long after the request Vapi may create the call. */
const [skewMs, latestMs] = [60_000, 10 * 60_000]
/** The limits of Vapi's `maxDurationSeconds`. */
const [shortestSeconds, longestSeconds] = [10, 43_200]

const callbackHeader = 'x-callback-token'
const jsonHeaders = { 'content-type': 'application/json' }

/** Places calls with Vapi's Call API (docs.vapi.ai, apis/api/openapi.json). */
export class VapiProvider implements Provider {
  readonly #apiKey: string
  readonly #assistantId: string
  readonly #numberId: string
  readonly #apiUrl: string
  readonly #client: ProviderClient

  constructor(
    { api_key: apiKey = '', assistant_id: assistantId = '', phone_number_id: numberId = '' }: Credentials,
    { outbound, owner, vapiApiUrl }: Pick<VoiceProviderDeps, 'outbound' | 'owner' | 'vapiApiUrl'>,
  ) {
    this.#apiKey = apiKey
    this.#assistantId = assistantId
    this.#numberId = numberId
    this.#apiUrl = vapiApiUrl
    const limits = { containersMax: answerContainersMax }
    this.#client = new ProviderClient({ vendor: 'Vapi', outbound, owner, secrets: [apiKey], limits })
  }

  async dispatch(order: CallOrder, timeoutMs: number): Promise<DispatchOutcome> {
    const body = JSON.stringify(this.#callOf(order))
    const objection = await order.lastCheck()
    if (objection) return objection
    const headers = { ...this.#headers, ...jsonHeaders }
    const attempt = await this.#client.attempt(
      { method: 'POST', url: `${this.#apiUrl}/call`, headers, body, timeoutMs, trusted: true },
      this.#callbackToken(order.callId),
    )
    if (!('reply' in attempt)) return attempt
    const { reply } = attempt
    if (reply.status < 200 || reply.status >= 300)
      return this.#client.failed(reply, textOf(membersOf(reply.json).error), vapiErrorText(reply.json))
    const call = vapiCall(reply.json)
    return call === null
      ? unknownOutcome(`Vapi answered ${reply.status}, and the body cannot be read`)
      : { outcome: 'dispatched', call, answer: reply.json }
  }

  #callOf(order: CallOrder): object {
    const { callId, callbackUrl } = order
    const opening = openingWordsOf(order)
    const server = callbackUrl !== null && {
      url: withCallId(callbackUrl, callId),
      headers: { [callbackHeader]: this.#callbackToken(callId) },
    }
    return {
      name: callId,
      assistantId: this.#assistantId,
      phoneNumberId: order.fromRef ?? this.#numberId,
      customer: { number: order.to, externalId: callId },
      assistantOverrides: {
        variableValues: { ...order.variables, instructions: order.instructions ?? '' },
        metadata: { ...order.metadata, call_id: callId },
        ...(opening !== null && { firstMessage: opening }),
        // In other modes, the assistant would wait, or say something else first.
        ...(order.disclosure !== null && { firstMessageMode: 'assistant-speaks-first' }),
        maxDurationSeconds: Math.min(longestSeconds, Math.max(shortestSeconds, order.maxDurationSeconds)),
        serverMessages: ['status-update', 'end-of-call-report'],
        // `cancel` needs the `controlUrl` of the call.
        monitorPlan: { listenEnabled: false, controlEnabled: true, controlAuthenticationEnabled: false },
        ...(server && { server }),
      },
    }
  }

  /** Reads the calls that were created around the time of the request, because Vapi's list has no filter by name. */
  async find({ callId }: Pick<CallOrder, 'callId'>, since: Date): Promise<ProviderCall | null> {
    const deadline = Date.now() + questionTimeoutMs
    const query = new URLSearchParams({ assistantId: this.#assistantId, limit: String(pageSize) })
    query.set('createdAtGe', new Date(since.getTime() - skewMs).toISOString())
    query.set('createdAtLe', new Date(since.getTime() + latestMs).toISOString())
    for (let page = 0; page < pagesMax; page++) {
      const reply = await this.#get(`/call?${query}`, Math.max(1, deadline - Date.now()))
      if (reply.status !== 200 || !Array.isArray(reply.json)) throw this.#client.unclear(reply)
      const calls = reply.json.map(membersOf)
      const own = calls.find(
        ({ name, customer }) => name === callId || membersOf(customer).externalId === callId,
      )
      const call = own && vapiCall(own)
      if (call) return call
      if (own) throw this.#client.unclear(reply)
      const oldest = calls.map(({ createdAt }) => textOf(createdAt) ?? '').sort()[0]
      if (calls.length < pageSize || !oldest) return null
      query.delete('createdAtLe')
      query.set('createdAtLt', oldest)
    }
    throw new Unreachable('Vapi has too many calls from that time to search')
  }

  async cancel(_callId: string, id: string): Promise<ProviderCall> {
    const reply = await this.#get(`/call/${encodeURIComponent(id)}`, questionTimeoutMs)
    if (reply.status >= 400)
      throw new CannotCancel(
        vapiErrorText(reply.json) ?? `Vapi answered ${reply.status} to the id of the call`,
      )
    const call = vapiCall(reply.json)
    if (call === null) throw this.#client.unclear(reply)
    if (!['queued', 'ringing', 'in_progress'].includes(call.state)) return call
    const url = textOf(membersOf(membersOf(reply.json).monitor).controlUrl)
    if (url === null) throw new CannotCancel('Vapi has no way to end this call yet: try again once it rings')
    const body = JSON.stringify({ type: 'end-call' })
    // Not `trusted`: the address comes from an answer.
    const ended = await this.#client.ask({
      method: 'POST',
      url,
      headers: jsonHeaders,
      body,
      timeoutMs: questionTimeoutMs,
    })
    if (ended.status >= 300)
      throw new CannotCancel(
        vapiErrorText(ended.json) ?? `Vapi answered ${ended.status} to the end of the call`,
      )
    return { ...call, state: call.state === 'in_progress' ? 'completed' : 'canceled' }
  }

  mayBeSigned(request: Pick<CallbackRequest, 'url' | 'headers'>): boolean {
    return this.#provenCallOf(request) !== null
  }

  #provenCallOf({ url, headers }: Pick<CallbackRequest, 'url' | 'headers'>): string | null {
    const callId = callIdIn(url)
    const token = headers[callbackHeader] ?? ''
    return callId !== null && isEqualInConstantTime(token, this.#callbackToken(callId)) ? callId : null
  }

  async parseCallback(request: CallbackRequest): Promise<CallbackReport | null> {
    const callId = this.#provenCallOf(request)
    if (callId === null) throw new BadSignature(`${callbackHeader} does not match this call`)
    const message = membersOf(
      membersOf(
        await parseUntrustedJson(request.orgId, request.body, { containersMax: callbackContainersMax }),
      ).message,
    )
    const { name } = membersOf(message.call)
    const call = callOfMessage(message)
    // The callback token of one call must not move another call.
    return call === null || (textOf(name) !== null && name !== callId) ? null : { callId, call }
  }

  /** A token that proves a call's callbacks: only Vapi and Crosswalk know it. */
  #callbackToken(callId: string): string {
    return createHmac('sha256', this.#apiKey)
      .update(`crosswalk voice callback\n${callId}`)
      .digest('base64url')
  }

  get #headers() {
    return { authorization: `Bearer ${this.#apiKey}` }
  }

  #get(path: string, timeoutMs: number): Promise<ProviderReply> {
    const url = this.#apiUrl + path
    return this.#client.ask({
      ...{ method: 'GET', url, headers: this.#headers, timeoutMs, maxBytes: answerBytesMax, trusted: true },
    })
  }
}
