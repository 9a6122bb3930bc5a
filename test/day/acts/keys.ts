import { setTimeout as delay } from 'node:timers/promises'
import { chance, oneOf } from '../dice.ts'
import { clientOf, newMarker } from '../orgs.ts'
import type { Act, Acts, Visit } from './act.ts'

const revokedWithinMs = 2_000

async function newKey(visit: Visit): Promise<{ id: string; token: string } | null> {
  const sent = (nonce: string) => ({ body: { name: visit.text(nonce), mode: oneOf(['live', 'test']) } })
  const told = await visit.create('api_key', 'create_api_key', sent, (body) => body.api_key_id)
  return told && { id: told.body.api_key_id, token: told.body.api_key_token ?? told.body.token }
}

/** Creates, rotates and deletes a key, and checks that the deleted key is refused. */
const life: Act = async (visit) => {
  if (visit.actor.target !== null) return visit.send('get_organization')
  const key = await newKey(visit)
  if (!key) return
  await visit.send('get_organization', { token: key.token })
  const params = { api_key_id: key.id }
  await visit.send('update_api_key', {
    params,
    body: { permissions: ['contacts:read', 'organization:read'] },
  })
  await visit.send('get_api_key', { params })
  const rotated = await visit.send('rotate_api_key', { params, body: { grace_seconds: 0 } })
  if (!rotated.ok) return
  visit.ledger.write('api_key', key.id, '$there', {
    ...{ value: 'no', sentAt: rotated.sentAt, endAt: rotated.answeredAt, acknowledged: true },
  })
  const { api_key_id, api_key_token, token } = rotated.body
  visit.ledger.owners.set(api_key_id, visit.actor.orgId)
  const fresh = api_key_token ?? token
  await visit.send('list_contacts', { token: fresh, query: { limit: 1 } })
  const request = { params: { api_key_id }, allow: [404] }
  await visit.change('api_key', api_key_id, { $there: 'no' }, 'delete_api_key', request)
  await delay(revokedWithinMs)
  for (const dead of [key.token, fresh]) {
    const told = await visit.send('get_organization', { token: dead, allow: [401] })
    if (told.ok)
      visit.ledger.fault(`a key of ${visit.actor.marker} works ${revokedWithinMs} ms after its end`)
  }
}

/** Creates, changes, rotates and deletes a write key. */
const writeKeyLife: Act = async (visit) => {
  const sent = (nonce: string) => ({ body: { name: visit.text(nonce) }, allow: [409] })
  const told = await visit.create('write_key', 'create_write_key', sent, (body) => body.data.write_key_id)
  if (!told) return
  const { write_key_id } = told.body.data
  const params = { write_key_id }
  await visit.send('update_write_key', { params, body: { origins: ['https://*.example.com'] } })
  await visit.send('get_write_key', { params })
  await visit.send('list_write_keys')
  await visit.send('list_web_events')
  await visit.send('get_tracking_snippet', { query: params })
  await visit.send('rotate_write_key', { params, body: { grace_seconds: 0 } })
  const request = { params, allow: [404] }
  await visit.change('write_key', write_key_id, { $there: 'no' }, 'delete_write_key', request)
}

/** Narrows and disconnects one of the apps with which the organization began. */
const apps: Act = async (visit) => {
  await visit.send('list_connected_apps')
  const connected_app_id = visit.take('app')
  if (!connected_app_id) return
  const params = { connected_app_id }
  await visit.send('get_connected_app', { params })
  await visit.send('narrow_connected_app', { params, body: { permissions: ['contacts:read'] } })
  await visit.send('revoke_connected_app', { params, allow: [404] })
}

const list: Act = async (visit) => {
  await visit.send('list_api_keys')
  await visit.send('get_organization')
}

const organization: Act = async (visit) => {
  const default_country = oneOf(['US', 'CA'])
  const sent = { body: { default_country } }
  await visit.change('org', visit.actor.orgId, { default_country }, 'update_organization', sent)
}

export const addClient: Act = async (visit) => {
  if (!visit.actor.isAgency) return visit.send('get_organization')
  const told = await visit.send('list_agency_clients')
  const clients = told.ok ? told.body.data.length : 6
  if (clients >= 6 || (clients > 0 && chance(0.7))) return
  const marker = newMarker()
  visit.actor.relatives.add(marker)
  const sent = (nonce: string) => ({ body: { name: `${nonce} ${marker}`, default_country: 'US' } })
  const made = await visit.create('org', 'create_agency_client', sent, (body) => body.data.org_id)
  if (made) visit.requests.join(clientOf(visit.actor, made.body.data.org_id, marker))
}

const events: Act = async (visit) => {
  const object_id = visit.pick('plain contact')
  const queries = [
    { limit: 50 },
    { type: 'contact.created' },
    { actor_kind: 'api_key' },
    ...(object_id ? [{ object_id }] : []),
  ]
  await visit.send('list_events', { query: oneOf<Record<string, string | number>>(queries) })
  await visit.send('get_usage', { query: { step: oneOf(['hour', 'day']) } })
  const since = Math.floor(Date.now() / 1000) - 10
  await visit.send('read_event_feed', { query: { since, limit: 200, include: 'object' } })
}

export const keyActs: Acts = [
  [1, apps],
  [1, life],
  [1, list],
  [0.5, writeKeyLife],
  [0.5, organization],
  [1, addClient],
  [3, events],
]
