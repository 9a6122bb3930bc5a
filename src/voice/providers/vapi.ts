import { createHmac } from 'node:crypto'
import { jsonOf, membersOf } from '../../platform/outbound/answers.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import { callIdIn, withCallId } from './call-id.ts'
import { Exchange, questionMs, textOf, unknown } from './exchange.ts'
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
  Unreachable,
} from './provider.ts'
import { isSameText } from './same-text.ts'
import { callOfMessage, vapiCall, vapiWords } from './vapi-call.ts'

/** Bytes: a call that ended comes with its transcript. */
const maxAnswer = 32 * 1024 ** 2
/** How many calls a page of the list has, and how many pages are read. */
const [pageSize, maxPages] = [100, 10]
/** By how much Vapi's clock may differ from ours, and how long after it was ordered a call is made at the latest. */
const [skewMs, latestMs] = [60_000, 10 * 60_000]
/** What Vapi allows for `maxDurationSeconds`. */
const [shortest, longest] = [10, 43_200]

const callbackHeader = 'x-callback-token'

/** Vapi's Call API (docs.vapi.ai, apis/api/openapi.json). */
export function vapiProvider(
  { api_key: apiKey = '', assistant_id: assistantId = '', phone_number_id: numberId = '' }: Credentials,
  { outbound, vapiApiUrl }: Pick<OutsideDeps, 'outbound' | 'vapiApiUrl'>,
): Provider {
  const exchange = new Exchange('Vapi', outbound, [apiKey])
  const headers = { authorization: `Bearer ${apiKey}` }
  const withJson = { ...headers, 'content-type': 'application/json' }

  /** What callbacks of a call are known by: nobody but Vapi and we can make it. */
  const callbackToken = (callId: string) =>
    createHmac('sha256', apiKey).update(`crosswalk voice callback\n${callId}`).digest('base64url')

  const get = (path: string, timeoutMs: number) =>
    exchange.ask({
      ...{ method: 'GET', url: vapiApiUrl + path, headers, timeoutMs, maxBytes: maxAnswer, trusted: true },
    })

  async function dispatch(order: CallOrder, timeoutMs: number): Promise<DispatchOutcome> {
    const { callId, callbackUrl } = order
    const opening = openingOf(order)
    const token = callbackToken(callId)
    const server = callbackUrl !== null && {
      server: { url: withCallId(callbackUrl, callId), headers: { [callbackHeader]: token } },
    }
    const body = {
      name: callId,
      assistantId,
      phoneNumberId: order.fromRef ?? numberId,
      customer: { number: order.to, externalId: callId },
      assistantOverrides: {
        variableValues: { ...order.variables, instructions: order.instructions ?? '' },
        metadata: { ...order.metadata, call_id: callId },
        ...(opening !== null && { firstMessage: opening }),
        // Or an assistant that waits, or makes up what it says first, would not say it.
        ...(order.disclosure !== null && { firstMessageMode: 'assistant-speaks-first' }),
        maxDurationSeconds: Math.min(longest, Math.max(shortest, order.maxDurationSeconds)),
        serverMessages: ['status-update', 'end-of-call-report'],
        // Through this a call can be ended.
        monitorPlan: { listenEnabled: false, controlEnabled: true, controlAuthenticationEnabled: false },
        ...server,
      },
    }
    const objection = await order.lastCheck()
    if (objection) return objection
    const attempt = await exchange.attempt(
      {
        ...{ method: 'POST', url: `${vapiApiUrl}/call`, headers: withJson, body: JSON.stringify(body) },
        ...{ timeoutMs, trusted: true },
      },
      token,
    )
    if (!('reply' in attempt)) return attempt
    const { reply } = attempt
    if (reply.status < 200 || reply.status >= 300)
      return exchange.judge(reply, textOf(membersOf(reply.json).error), vapiWords(reply.json))
    const call = vapiCall(reply.json)
    return call === null
      ? unknown(`Vapi answered ${reply.status}, unreadably`)
      : { outcome: 'dispatched', call, answer: reply.json }
  }

  /** The list knows no names: it is read from when the call was ordered on. */
  async function find({ callId }: Pick<CallOrder, 'callId'>, since: Date): Promise<ProviderCall | null> {
    const deadline = Date.now() + questionMs
    const query = new URLSearchParams({ assistantId, limit: String(pageSize) })
    query.set('createdAtGe', new Date(since.getTime() - skewMs).toISOString())
    query.set('createdAtLe', new Date(since.getTime() + latestMs).toISOString())
    for (let page = 0; page < maxPages; page++) {
      const reply = await get(`/call?${query}`, Math.max(1, deadline - Date.now()))
      if (reply.status !== 200 || !Array.isArray(reply.json)) throw exchange.silent(reply)
      const calls = reply.json.map(membersOf)
      const own = calls.find(
        ({ name, customer }) => name === callId || membersOf(customer).externalId === callId,
      )
      const call = own && vapiCall(own)
      if (call) return call
      if (own) throw exchange.silent(reply)
      const oldest = calls.map(({ createdAt }) => textOf(createdAt) ?? '').sort()[0]
      if (calls.length < pageSize || !oldest) return null
      query.delete('createdAtLe')
      query.set('createdAtLt', oldest)
    }
    throw new Unreachable('Vapi has too many calls of that time to look through')
  }

  async function cancel(_callId: string, id: string): Promise<ProviderCall> {
    const reply = await get(`/call/${encodeURIComponent(id)}`, questionMs)
    if (reply.status >= 400)
      throw new CannotCancel(vapiWords(reply.json) ?? `Vapi answered ${reply.status} to the id of the call`)
    const call = vapiCall(reply.json)
    if (call === null) throw exchange.silent(reply)
    if (!['queued', 'ringing', 'in_progress'].includes(call.state)) return call
    const url = textOf(membersOf(membersOf(reply.json).monitor).controlUrl)
    if (url === null) throw new CannotCancel('Vapi has no way to end this call yet: try again once it rings')
    const body = JSON.stringify({ type: 'end-call' })
    // An address that Vapi says is no more trusted than one that an org does.
    const ended = await exchange.ask({
      ...{ method: 'POST', url, headers: { 'content-type': 'application/json' }, body },
      timeoutMs: questionMs,
    })
    if (ended.status >= 300)
      throw new CannotCancel(vapiWords(ended.json) ?? `Vapi answered ${ended.status} to the end of the call`)
    return { ...call, state: call.state === 'in_progress' ? 'completed' : 'canceled' }
  }

  function parseCallback({ url, headers, body }: CallbackRequest): CallbackReport | null {
    const callId = callIdIn(url)
    if (callId === null || !isSameText(headers[callbackHeader] ?? '', callbackToken(callId)))
      throw new BadSignature(`${callbackHeader} is not that of this call`)
    const message = membersOf(membersOf(jsonOf(body)).message)
    const { name } = membersOf(message.call)
    const call = callOfMessage(message)
    // The token of one call says nothing of another.
    return call === null || (textOf(name) !== null && name !== callId) ? null : { callId, call }
  }

  return { dispatch, find, cancel, parseCallback }
}
