import { messageKeyOf } from '../../../src/tracking/wire/ids.ts'
import { chance, newNonce, oneOf } from '../dice.ts'
import type { WebEventSent } from '../ledger.ts'
import { Unanswered } from '../requests.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

const usage: Action = async (api) => {
  await api.send('get_tracking_usage', {
    query: { step: oneOf(['hour', 'day']), mode: oneOf(['live', 'test']) },
  })
  await api.send('list_web_events', { query: { limit: 10 } })
}

const settings: Action = async (api) => {
  await api.send('get_tracking_settings')
  if (chance(0.7)) return
  const retention_days = 30 + Math.floor(Math.random() * 100)
  const fields = { retention_days: String(retention_days) }
  const request = { body: { retention_days } }
  await api.change('tracking_settings', api.actor.orgId, fields, 'update_tracking_settings', request)
}

/** Sends the events of a visitor, repeats some requests, and erases one of three visitors. */
const visitor: Action = async (api) => {
  const { actor, requests, ledger } = api
  // An agency sends the events of a client with a key of the client.
  if (actor.target !== null) return
  const anonymousId = newNonce()
  const batch = ['first', 'second', 'third'].map((step) => ({
    ...{ type: 'track', event: api.text(), anonymousId, messageId: `${anonymousId} ${step}` },
    timestamp: new Date(),
  }))
  if (!(await requests.track(actor, batch))) return
  const sent = batch.map(({ messageId }): WebEventSent => {
    return { orgId: actor.orgId, messageKey: messageKeyOf(messageId, true), erasure: 'none' }
  })
  ledger.webEvents.push(...sent)
  if (chance(0.5)) await requests.track(actor, batch)
  const answer = await api.send('list_web_events', { query: { name: batch[0]?.event ?? '' } })
  const visitor_id = answer.body?.data?.events?.[0]?.visitor_id
  if (!visitor_id) return ledger.fault(`a web event of ${actor.marker} is not listed`)
  await readVisitor(api, visitor_id)
  if (chance(0.7)) return
  for (const event of sent) event.erasure = 'asked'
  try {
    const erased = await api.send('erase_visitor', { params: { visitor_id } })
    if (!erased.ok) return
  } catch (error) {
    if (error instanceof Unanswered) return
    throw error
  }
  for (const event of sent) event.erasure = 'done'
  await requests.track(actor, batch)
}

async function readVisitor(api: ActorClient, visitor_id: string): Promise<void> {
  const params = { visitor_id }
  await api.send('list_visitors', { query: { limit: 10 } })
  const { body } = await api.send('get_visitor', { params })
  if (body.data.events !== 3) api.ledger.fault(`visitor ${visitor_id} has ${body.data.events} events, not 3`)
  await api.send('list_visitor_events', { params })
  await api.send('list_visitor_sessions', { params })
}

export const trackingActs: WeightedActions = [
  [1, usage],
  [0.5, settings],
  [2, visitor],
]
