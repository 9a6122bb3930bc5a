import { messageKeyOf } from '../../../src/tracking/wire/ids.ts'
import { chance, newNonce, oneOf } from '../dice.ts'
import type { WebEventSent } from '../ledger.ts'
import { Unanswered } from '../requests.ts'
import type { Act, Acts, Visit } from './act.ts'

const usage: Act = async (visit) => {
  await visit.send('get_tracking_usage', {
    query: { step: oneOf(['hour', 'day']), mode: oneOf(['live', 'test']) },
  })
  await visit.send('list_web_events', { query: { limit: 10 } })
}

const settings: Act = async (visit) => {
  await visit.send('get_tracking_settings')
  if (chance(0.7)) return
  const retention_days = 30 + Math.floor(Math.random() * 100)
  const fields = { retention_days: String(retention_days) }
  const request = { body: { retention_days } }
  await visit.change('tracking_settings', visit.actor.orgId, fields, 'update_tracking_settings', request)
}

/** A visitor comes, some requests arrive twice, and one of three visitors is erased. */
const visitor: Act = async (visit) => {
  const { actor, requests, ledger } = visit
  // An agency sends the events of a client with a key of the client.
  if (actor.target !== null) return
  const anonymousId = newNonce()
  const batch = ['first', 'second', 'third'].map((step) => ({
    ...{ type: 'track', event: visit.text(), anonymousId, messageId: `${anonymousId} ${step}` },
    timestamp: new Date(),
  }))
  if (!(await requests.track(actor, batch))) return
  const sent = batch.map(({ messageId }): WebEventSent => {
    return { orgId: actor.orgId, messageKey: messageKeyOf(messageId, true), erasure: 'none' }
  })
  ledger.webEvents.push(...sent)
  if (chance(0.5)) await requests.track(actor, batch)
  const told = await visit.send('list_web_events', { query: { name: batch[0]?.event ?? '' } })
  const visitor_id = told.body?.data?.events?.[0]?.visitor_id
  if (!visitor_id) return ledger.fault(`a web event of ${actor.marker} is not listed`)
  await readVisitor(visit, visitor_id)
  if (chance(0.7)) return
  for (const event of sent) event.erasure = 'asked'
  try {
    const erased = await visit.send('erase_visitor', { params: { visitor_id } })
    if (!erased.ok) return
  } catch (error) {
    if (error instanceof Unanswered) return
    throw error
  }
  for (const event of sent) event.erasure = 'done'
  await requests.track(actor, batch)
}

async function readVisitor(visit: Visit, visitor_id: string): Promise<void> {
  const params = { visitor_id }
  await visit.send('list_visitors', { query: { limit: 10 } })
  const { body } = await visit.send('get_visitor', { params })
  if (body.data.events !== 3)
    visit.ledger.fault(`visitor ${visitor_id} has ${body.data.events} events, not 3`)
  await visit.send('list_visitor_events', { params })
  await visit.send('list_visitor_sessions', { params })
}

export const trackingActs: Acts = [
  [1, usage],
  [0.5, settings],
  [2, visitor],
]
