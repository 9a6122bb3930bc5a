import { chance, oneOf } from '../dice.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

/** Pushes use contacts of their own, because other actions do not expect CRM ids. */
const addPeople: Action = async (api) => {
  const sent = (nonce: string) => ({
    body: {
      ...{ source: nonce, first_name: `P${nonce}`, last_name: api.text(nonce), job_title: api.text() },
      ...{ email: api.email(`${nonce}${chance(0.06) ? '+refused' : chance(0.02) ? '+slow' : ''}`) },
      tags: [api.actor.marker, 'pushed'],
    },
  })
  for (let count = 0; count < 3; count++) {
    const answer = await api.create('contact', 'create_contact', sent, (body) => body.data.contact_id)
    if (answer) api.keep('pushed contact', answer.body.data.contact_id)
  }
}

const changePerson: Action = async (api) => {
  const contact_id = api.pick('pushed contact')
  if (!contact_id) return addPeople(api)
  const change = { job_title: api.text() }
  const request = { params: { contact_id }, body: change, allow: [409] }
  await api.change('contact', contact_id, change, 'update_contact', request)
}

const connect: Action = async (api) => {
  if (api.pool('connection').length >= 3) return api.send('list_crm_connections')
  const sent = (nonce: string) => ({ body: { provider: 'sandbox', name: api.text(nonce) } })
  const answer = await api.create(
    'connection',
    'create_crm_connection',
    sent,
    (body) => body.data.connection_id,
  )
  if (answer) api.keep('connection', answer.body.data.connection_id)
}

const connection: Action = async (api) => {
  const sent = (nonce: string) => ({ body: { provider: 'sandbox', name: api.text(nonce) } })
  const made = await api.create(
    'connection',
    'create_crm_connection',
    sent,
    (body) => body.data.connection_id,
  )
  if (!made) return
  const { connection_id } = made.body.data
  const params = { connection_id }
  const { body } = await api.send('get_crm_connection', { params })
  const field_map = { 'custom.plan': 'plan', city: null }
  await api.send('update_crm_connection', {
    params,
    body: { field_map },
    ifMatch: body.data.version,
    allow: [409],
  })
  await api.send('test_crm_connection', { params })
  if (chance(0.5)) await push(api, 'push_crm_contacts', { connection_id, filter: { tag: 'pushed' } })
  const request = { params, allow: [404] }
  await api.change('connection', connection_id, { $there: 'no' }, 'delete_crm_connection', request)
}

async function push(
  api: ActorClient,
  name: string,
  body: object,
  mode: 'live' | 'test' = 'live',
): Promise<void> {
  const answer = await api.send(name, { body, mode, allow: [409, 404] })
  if (!answer.ok) return
  const { job_id } = answer.body
  api.keep('crm job', job_id)
  api.ledger.acknowledge(api.ledger.begin('crm_job', api.actor.orgId, job_id), job_id)
}

const pushSome: Action = async (api) => {
  const connection_id = api.pick('connection')
  if (!connection_id) return connect(api)
  if (api.pool('pushed contact').length < 5) return addPeople(api)
  const few = Array.from({ length: 4 }, () => api.pick('pushed contact')!)
  const whom = oneOf([{ contact_ids: [...new Set(few)] }, { filter: { tag: 'pushed' } }])
  const kind = oneOf(['leads', 'contacts'])
  if (chance(0.3)) await api.send(`preview_crm_${kind}`, { body: { connection_id, ...whom } })
  const body = { connection_id, ...whom, large_population_confirmed: true }
  await push(api, `push_crm_${kind}`, body, chance(0.2) ? 'test' : 'live')
}

const jobs: Action = async (api) => {
  const job_id = api.pick('crm job')
  if (!job_id) return pushSome(api)
  await api.send('list_crm_jobs', { query: { limit: 10 } })
  await api.send('get_crm_job', { params: { job_id } })
  await api.send('list_crm_job_items', { params: { job_id }, query: { limit: 20 } })
  if (chance(0.2)) await api.send('cancel_crm_job', { params: { job_id }, allow: [409] })
}

const retry: Action = async (api) => {
  const listed = await api.send('list_crm_jobs', {
    query: { status: oneOf(['partially_succeeded', 'failed']) },
  })
  const job = listed.ok && listed.body.data[0]
  if (!job) return pushSome(api)
  // 404: its connection was deleted.
  const answer = await api.send('retry_crm_job', { params: { job_id: job.job_id }, allow: [409, 404] })
  if (!answer.ok) return
  const { job_id } = answer.body
  api.ledger.acknowledge(api.ledger.begin('crm_job', api.actor.orgId, job_id), job_id)
}

const settings: Action = async (api) => {
  await api.send('get_crm_settings')
  const connection_id = api.pick('sandbox connection') ?? api.pick('connection')
  if (connection_id)
    await api.send('list_crm_sandbox_records', {
      params: { connection_id },
      query: { limit: 20 },
      allow: [404, 409],
    })
  if (chance(0.7)) return
  const threshold = 1000 + Math.floor(Math.random() * 1000)
  const fields = { threshold: String(threshold) }
  await api.change('crm_settings', api.actor.orgId, fields, 'update_crm_settings', {
    body: { threshold },
  })
}

export const crmActs: WeightedActions = [
  [2, addPeople],
  [3, changePerson],
  [1, connect],
  [0.7, connection],
  [2, pushSome],
  [2, jobs],
  [1, retry],
  [1, settings],
]
