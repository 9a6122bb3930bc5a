import { oneOf } from '../dice.ts'
import type { Act, Acts } from './act.ts'

/** Creates an endpoint whose events nobody receives, changes it in every way, and deletes it. */
const endpointLife: Act = async (visit) => {
  if (visit.actor.target !== null) return visit.send('list_webhook_endpoints', { query: { limit: 10 } })
  const url = `https://${oneOf(['one', 'two'])}.invalid/hook`
  const body = { url, types: ['suppression.deleted'], description: visit.text() }
  // 409: the organization has 50 endpoints.
  const told = await visit.send('create_webhook_endpoint', { body, allow: [409] })
  if (!told.ok) return
  const params = { endpoint_id: told.body.data.endpoint_id }
  await visit.send('list_webhook_event_types')
  await visit.send('list_webhook_endpoints', { query: { limit: 10 } })
  await visit.send('get_webhook_endpoint', { params })
  await visit.send('update_webhook_endpoint', { params, body: { payload: 'thin', max_per_second: 5 } })
  await visit.send('rotate_webhook_secret', { params, body: { grace_seconds: 0 } })
  // 429: three test events of the organization wait for their answers.
  const sample = await visit.send('test_webhook_endpoint', {
    ...{ params, body: { type: 'contact.created' }, allow: [429] },
  })
  if (sample.ok && sample.body.data.outcome !== 'failed') visit.ledger.fault('a test to nobody succeeded')
  // 409: the organization has 20 running replays, or 1,000 of the last 7 days.
  const replay = await visit.send('replay_webhooks', {
    ...{ params, body: { from: 1_000_000_000 }, allow: [409] },
  })
  if (replay.ok) {
    const ofReplay = { params: { replay_id: replay.body.data.replay_id } }
    await visit.send('get_webhook_replay', ofReplay)
    await visit.send('cancel_webhook_replay', ofReplay)
  }
  await visit.send('list_webhook_replays', { params, query: { limit: 10 } })
  // A live endpoint does not get the simulated calls and pushes of test keys, but every change of a contact.
  const events = await visit.send('list_events', { query: { limit: 1, types: 'contact.created' } })
  const [event] = events.ok ? events.body.data : []
  if (event) await visit.send('resend_webhook', { params: { ...params, event_id: event.event_id } })
  await visit.send('disable_webhook_endpoint', { params })
  await visit.send('enable_webhook_endpoint', { params, body: { from: 'now' } })
  await visit.send('list_webhook_attempts', { params, query: { limit: 10 } })
  await visit.send('get_webhook_stats', { params })
  // 404: an earlier try whose answer was lost has deleted the endpoint.
  await visit.send('delete_webhook_endpoint', { params, allow: [404] })
}

export const webhookActs: Acts = [[0.4, endpointLife]]
