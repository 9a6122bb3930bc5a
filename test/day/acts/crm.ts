import { chance, oneOf } from '../dice.ts'
import type { Act, Acts, Visit } from './act.ts'

/** Pushes use contacts of their own, because other acts do not expect CRM ids. */
const addPeople: Act = async (visit) => {
  const sent = (nonce: string) => ({
    body: {
      ...{ source: nonce, first_name: `P${nonce}`, last_name: visit.text(nonce), job_title: visit.text() },
      ...{ email: visit.email(`${nonce}${chance(0.06) ? '+refused' : chance(0.02) ? '+slow' : ''}`) },
      tags: [visit.actor.marker, 'pushed'],
    },
  })
  for (let count = 0; count < 3; count++) {
    const told = await visit.create('contact', 'create_contact', sent, (body) => body.data.contact_id)
    if (told) visit.keep('pushed contact', told.body.data.contact_id)
  }
}

const changePerson: Act = async (visit) => {
  const contact_id = visit.pick('pushed contact')
  if (!contact_id) return addPeople(visit)
  const change = { job_title: visit.text() }
  const request = { params: { contact_id }, body: change, allow: [409] }
  await visit.change('contact', contact_id, change, 'update_contact', request)
}

const connect: Act = async (visit) => {
  if (visit.pool('connection').length >= 3) return visit.send('list_crm_connections')
  const sent = (nonce: string) => ({ body: { provider: 'sandbox', name: visit.text(nonce) } })
  const told = await visit.create(
    'connection',
    'create_crm_connection',
    sent,
    (body) => body.data.connection_id,
  )
  if (told) visit.keep('connection', told.body.data.connection_id)
}

const connection: Act = async (visit) => {
  const sent = (nonce: string) => ({ body: { provider: 'sandbox', name: visit.text(nonce) } })
  const made = await visit.create(
    'connection',
    'create_crm_connection',
    sent,
    (body) => body.data.connection_id,
  )
  if (!made) return
  const { connection_id } = made.body.data
  const params = { connection_id }
  const { body } = await visit.send('get_crm_connection', { params })
  const field_map = { 'custom.plan': 'plan', city: null }
  await visit.send('update_crm_connection', {
    params,
    body: { field_map },
    ifMatch: body.data.version,
    allow: [409],
  })
  await visit.send('test_crm_connection', { params })
  if (chance(0.5)) await push(visit, 'push_crm_contacts', { connection_id, filter: { tag: 'pushed' } })
  const request = { params, allow: [404] }
  await visit.change('connection', connection_id, { $there: 'no' }, 'delete_crm_connection', request)
}

async function push(visit: Visit, name: string, body: object, mode: 'live' | 'test' = 'live'): Promise<void> {
  const told = await visit.send(name, { body, mode, allow: [409, 404] })
  if (!told.ok) return
  const { job_id } = told.body
  visit.keep('crm job', job_id)
  visit.ledger.acknowledge(visit.ledger.begin('crm_job', visit.actor.orgId, job_id), job_id)
}

const pushSome: Act = async (visit) => {
  const connection_id = visit.pick('connection')
  if (!connection_id) return connect(visit)
  if (visit.pool('pushed contact').length < 5) return addPeople(visit)
  const few = Array.from({ length: 4 }, () => visit.pick('pushed contact')!)
  const whom = oneOf([{ contact_ids: [...new Set(few)] }, { filter: { tag: 'pushed' } }])
  const kind = oneOf(['leads', 'contacts'])
  if (chance(0.3)) await visit.send(`preview_crm_${kind}`, { body: { connection_id, ...whom } })
  const body = { connection_id, ...whom, large_population_confirmed: true }
  await push(visit, `push_crm_${kind}`, body, chance(0.2) ? 'test' : 'live')
}

const jobs: Act = async (visit) => {
  const job_id = visit.pick('crm job')
  if (!job_id) return pushSome(visit)
  await visit.send('list_crm_jobs', { query: { limit: 10 } })
  await visit.send('get_crm_job', { params: { job_id } })
  await visit.send('list_crm_job_items', { params: { job_id }, query: { limit: 20 } })
  if (chance(0.2)) await visit.send('cancel_crm_job', { params: { job_id }, allow: [409] })
}

const retry: Act = async (visit) => {
  const listed = await visit.send('list_crm_jobs', {
    query: { status: oneOf(['partially_succeeded', 'failed']) },
  })
  const job = listed.ok && listed.body.data[0]
  if (!job) return pushSome(visit)
  // 404: its connection was deleted.
  const told = await visit.send('retry_crm_job', { params: { job_id: job.job_id }, allow: [409, 404] })
  if (!told.ok) return
  const { job_id } = told.body
  visit.ledger.acknowledge(visit.ledger.begin('crm_job', visit.actor.orgId, job_id), job_id)
}

const settings: Act = async (visit) => {
  await visit.send('get_crm_settings')
  const connection_id = visit.pick('sandbox connection') ?? visit.pick('connection')
  if (connection_id)
    await visit.send('list_crm_sandbox_records', {
      params: { connection_id },
      query: { limit: 20 },
      allow: [404, 409],
    })
  if (chance(0.7)) return
  const threshold = 1000 + Math.floor(Math.random() * 1000)
  const fields = { threshold: String(threshold) }
  await visit.change('crm_settings', visit.actor.orgId, fields, 'update_crm_settings', {
    body: { threshold },
  })
}

export const crmActs: Acts = [
  [2, addPeople],
  [3, changePerson],
  [1, connect],
  [0.7, connection],
  [2, pushSome],
  [2, jobs],
  [1, retry],
  [1, settings],
]
