import { messageKeyOf } from '../../../src/tracking/wire/ids.ts'
import { chance, newNonce } from '../dice.ts'
import type { WebEventSent } from '../ledger.ts'
import { Unanswered } from '../requests.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

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

/** Lets a page say who a visitor is, accepts this claim, and undoes the link. The claimed contact exists half of the time. */
const claim: Action = async (api) => {
  const { actor, requests, ledger } = api
  if (actor.target !== null) return
  const key = await siteKey(api)
  if (!key) return
  await api.send('update_tracking_settings', { body: { identify_creates: chance(0.5) } })
  const userId = chance(0.5) ? await newPerson(api) : api.email(newNonce())
  if (!userId) return
  const anonymousId = newNonce()
  const event = api.text()
  const batch = [
    { type: 'track', event, anonymousId },
    { type: 'identify', userId, anonymousId, traits: { lastName: api.text() } },
  ]
  if (!(await requests.track(actor, batch, key))) return
  const listed = await api.send('list_web_events', { query: { name: event } })
  const visitor_id = listed.body?.data?.events?.[0]?.visitor_id
  if (!visitor_id) return ledger.fault(`a web event of ${actor.marker} is not listed`)
  const params = { visitor_id }
  const claim_id = (await api.send('get_visitor', { params })).body.data.claims[0]?.claim_id
  if (!claim_id) return ledger.fault(`visitor ${visitor_id} claims to be nobody`)
  const changed = (name: string, type: string, request: object) =>
    api.change('visitor', visitor_id, {}, name, { params, ...request }, `visitor.${type}`)
  const accepted = await changed('accept_visitor_claim', 'claim_accepted', { body: { claim_id } })
  if (!accepted.ok) return
  const [link] = accepted.body.data.links
  if (link?.trust !== 'accepted') return ledger.fault(`visitor ${visitor_id} has no accepted link`)
  const { link_id } = link
  const undone = await changed('undo_visitor_link', 'link_undone', { params: { ...params, link_id } })
  if (undone.ok && undone.body.data.links.length > 0)
    ledger.fault(`visitor ${visitor_id} has a link after the undo`)
}

/** The write key of the organization's website; undefined: the organization has too many keys. */
async function siteKey(api: ActorClient): Promise<string | undefined> {
  const known = api.pick('site key')
  if (known) return known
  const made = await api.send('create_write_key', { body: { name: api.text() }, allow: [409] })
  if (made.ok) api.keep('site key', made.body.data.key)
  return made.body?.data?.key
}

/** Returns the address of a new contact, which other actions do not use. */
async function newPerson(api: ActorClient): Promise<string | undefined> {
  const sent = (source: string) => ({
    body: { source, last_name: api.text(source), email: api.email(source), tags: [api.actor.marker] },
  })
  const answer = await api.create('merged contact', 'create_contact', sent, (body) => body.data.contact_id)
  return answer?.body.data.email
}

export const visitorActs: WeightedActions = [
  [2, visitor],
  [1, claim],
]
