import { oneOf } from '../dice.ts'
import type { Action, WeightedActions } from './action.ts'

/** Creates an endpoint whose events nobody receives, changes it in every way, and deletes it. */
const endpointLife: Action = async (api) => {
  if (api.actor.target !== null) return api.send('list_webhook_endpoints', { query: { limit: 10 } })
  const url = `https://${oneOf(['one', 'two'])}.invalid/hook`
  const body = { url, types: ['suppression.deleted'], description: api.text() }
  // 409: the organization has 50 endpoints.
  const answer = await api.send('create_webhook_endpoint', { body, allow: [409] })
  if (!answer.ok) return
  const params = { endpoint_id: answer.body.data.endpoint_id }
  await api.send('list_webhook_event_types')
  await api.send('list_webhook_endpoints', { query: { limit: 10 } })
  await api.send('get_webhook_endpoint', { params })
  await api.send('update_webhook_endpoint', { params, body: { payload: 'thin', max_per_second: 5 } })
  await api.send('rotate_webhook_secret', { params, body: { grace_seconds: 0 } })
  // 429: three test events of the organization wait for their answers.
  const sample = await api.send('test_webhook_endpoint', {
    ...{ params, body: { type: 'contact.created' }, allow: [429] },
  })
  if (sample.ok && sample.body.data.outcome !== 'failed') api.ledger.fault('a test to nobody succeeded')
  // 409: the organization has 20 running replays, or 1,000 of the last 7 days.
  const replay = await api.send('replay_webhooks', {
    ...{ params, body: { from: 1_000_000_000 }, allow: [409] },
  })
  if (replay.ok) {
    const ofReplay = { params: { replay_id: replay.body.data.replay_id } }
    await api.send('get_webhook_replay', ofReplay)
    await api.send('cancel_webhook_replay', ofReplay)
  }
  await api.send('list_webhook_replays', { params, query: { limit: 10 } })
  // A live endpoint does not get the simulated calls and pushes of test keys, but every change of a contact.
  const events = await api.send('list_events', { query: { limit: 1, types: 'contact.created' } })
  const [event] = events.ok ? events.body.data : []
  if (event) await api.send('resend_webhook', { params: { ...params, event_id: event.event_id } })
  await api.send('disable_webhook_endpoint', { params })
  await api.send('enable_webhook_endpoint', { params, body: { from: 'now' } })
  await api.send('list_webhook_attempts', { params, query: { limit: 10 } })
  await api.send('get_webhook_stats', { params })
  // 404: an earlier try whose answer was lost has deleted the endpoint.
  await api.send('delete_webhook_endpoint', { params, allow: [404] })
}

export const webhookActs: WeightedActions = [[0.4, endpointLife]]
