import { setTimeout as delay } from 'node:timers/promises'
import { chance, oneOf } from '../dice.ts'
import { clientOf, newMarker } from '../orgs.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

const revokedWithinMs = 2_000

async function newKey(api: ActorClient): Promise<{ id: string; token: string } | null> {
  const sent = (nonce: string) => ({ body: { name: api.text(nonce), mode: oneOf(['live', 'test']) } })
  const answer = await api.create('api_key', 'create_api_key', sent, (body) => body.api_key_id)
  return answer && { id: answer.body.api_key_id, token: answer.body.api_key_token ?? answer.body.token }
}

/** Creates, rotates and deletes a key, and checks that the deleted key is refused. */
const life: Action = async (api) => {
  if (api.actor.target !== null) return api.send('get_organization')
  const key = await newKey(api)
  if (!key) return
  await api.send('get_organization', { token: key.token })
  const params = { api_key_id: key.id }
  await api.send('update_api_key', {
    params,
    body: { permissions: ['contacts:read', 'organization:read'] },
  })
  await api.send('get_api_key', { params })
  const rotated = await api.send('rotate_api_key', { params, body: { grace_seconds: 0 } })
  if (!rotated.ok) return
  api.ledger.write('api_key', key.id, '$there', {
    ...{ value: 'no', sentAt: rotated.sentAt, endAt: rotated.answeredAt, acknowledged: true },
  })
  const { api_key_id, api_key_token, token } = rotated.body
  api.ledger.owners.set(api_key_id, api.actor.orgId)
  const fresh = api_key_token ?? token
  await api.send('list_contacts', { token: fresh, query: { limit: 1 } })
  const request = { params: { api_key_id }, allow: [404] }
  await api.change('api_key', api_key_id, { $there: 'no' }, 'delete_api_key', request)
  await delay(revokedWithinMs)
  for (const dead of [key.token, fresh]) {
    const answer = await api.send('get_organization', { token: dead, allow: [401] })
    if (answer.ok) api.ledger.fault(`a key of ${api.actor.marker} works ${revokedWithinMs} ms after its end`)
  }
}

/** Creates, changes, rotates and deletes a write key. */
const writeKeyLife: Action = async (api) => {
  const sent = (nonce: string) => ({ body: { name: api.text(nonce) }, allow: [409] })
  const answer = await api.create('write_key', 'create_write_key', sent, (body) => body.data.write_key_id)
  if (!answer) return
  const { write_key_id } = answer.body.data
  const params = { write_key_id }
  await api.send('update_write_key', { params, body: { origins: ['https://*.example.com'] } })
  await api.send('get_write_key', { params })
  await api.send('list_write_keys')
  await api.send('list_web_events')
  await api.send('get_tracking_snippet', { query: params })
  await api.send('rotate_write_key', { params, body: { grace_seconds: 0 } })
  const request = { params, allow: [404] }
  await api.change('write_key', write_key_id, { $there: 'no' }, 'delete_write_key', request)
}

/** Reduces the permissions of one of the organization's first apps, and disconnects the app. */
const apps: Action = async (api) => {
  await api.send('list_connected_apps')
  const connected_app_id = api.take('app')
  if (!connected_app_id) return
  const params = { connected_app_id }
  await api.send('get_connected_app', { params })
  await api.send('narrow_connected_app', { params, body: { permissions: ['contacts:read'] } })
  await api.send('revoke_connected_app', { params, allow: [404] })
}

const list: Action = async (api) => {
  await api.send('list_api_keys')
  await api.send('get_organization')
}

const organization: Action = async (api) => {
  const default_country = oneOf(['US', 'CA'])
  const sent = { body: { default_country } }
  await api.change('org', api.actor.orgId, { default_country }, 'update_organization', sent)
}

export const addClient: Action = async (api) => {
  if (!api.actor.isAgency) return api.send('get_organization')
  const answer = await api.send('list_agency_clients')
  const clients = answer.ok ? answer.body.data.length : 6
  if (clients >= 6 || (clients > 0 && chance(0.7))) return
  const marker = newMarker()
  api.actor.relatives.add(marker)
  const sent = (nonce: string) => ({ body: { name: `${nonce} ${marker}`, default_country: 'US' } })
  const made = await api.create('org', 'create_agency_client', sent, (body) => body.data.org_id)
  if (made) api.requests.join(clientOf(api.actor, made.body.data.org_id, marker))
}

const events: Action = async (api) => {
  const object_id = api.pick('plain contact')
  const queries = [
    { limit: 50 },
    { type: 'contact.created' },
    { actor_kind: 'api_key' },
    ...(object_id ? [{ object_id }] : []),
  ]
  await api.send('list_events', { query: oneOf<Record<string, string | number>>(queries) })
  await api.send('get_usage', { query: { step: oneOf(['hour', 'day']) } })
  const since = Math.floor(Date.now() / 1000) - 10
  await api.send('read_event_feed', { query: { since, limit: 200, include: 'object' } })
}

export const keyActs: WeightedActions = [
  [1, apps],
  [1, life],
  [1, list],
  [0.5, writeKeyLife],
  [0.5, organization],
  [1, addClient],
  [3, events],
]
