import { allDay, callConsent, phoneField } from '../../support/call-back.ts'
import { chance, oneOf } from '../dice.ts'
import type { Action, WeightedActions } from './action.ts'

const usage: Action = async (api) => {
  await api.send('get_tracking_usage', {
    query: { step: oneOf(['hour', 'day']), mode: oneOf(['live', 'test']) },
  })
  await api.send('list_web_events', { query: { limit: 10 } })
}

const reports: Action = async (api) => {
  const query = { step: oneOf(['hour', 'day']) }
  await api.send('get_overview_report', { query })
  await api.send(
    oneOf([
      ...(['get_pages_report', 'get_referrers_report', 'get_sources_report'] as const),
      ...(['get_campaigns_report', 'get_events_report', 'get_forms_report'] as const),
    ]),
    { query },
  )
  await api.send('read_funnel', {
    body: {
      steps: [
        { kind: 'page', value: '/pricing' },
        { kind: 'event', value: 'e', match: 'contains' },
      ],
    },
  })
}

const settings: Action = async (api) => {
  await api.send('get_tracking_settings')
  if (chance(0.7)) return
  const retention_days = 30 + Math.floor(Math.random() * 100)
  const fields = { retention_days: String(retention_days) }
  const request = { body: { retention_days } }
  await api.change('tracking_settings', api.actor.orgId, fields, 'update_tracking_settings', request)
}

/** Makes and deletes the identity secret. Other actors of the organization may do so at the same time. */
const identitySecret: Action = async (api) => {
  await api.send('rotate_identity_secret', { body: { grace_seconds: 0 } })
  await api.send('get_identity_secret')
  if (chance(0.5)) await api.send('delete_identity_secret', { allow: [404] })
}

/** Sends a form once a minute: an address may send five a minute. The test servers take it for spam, and a person accepts it. */
let lastForm = 0
const submission: Action = async (api) => {
  const { actor, requests, ledger } = api
  if (actor.target !== null || Date.now() - lastForm < 60_000) return
  lastForm = Date.now()
  const fields = [{ key: 'name', label: 'Name', maps_to: 'first_name' }]
  const form = await api.send('create_form', {
    body: { name: api.text(), status: 'live', fields },
    allow: [409],
  })
  const key = await api.send('create_write_key', {
    body: { name: 'Site', purposes: ['forms'] },
    allow: [409],
  })
  if (!form.ok || !key.ok) return
  const { form_id } = form.body.data
  if (!(await requests.submitForm(actor, form_id, key.body.data.key, { name: api.text() }))) return
  const { body } = await api.send('list_form_submissions', { query: { form_id } })
  const params = { submission_id: body?.data?.[0]?.submission_id }
  if (body?.data?.length !== 1)
    return ledger.fault(`form ${form_id} has ${body?.data?.length} submissions, not 1`)
  await api.send('get_form_submission', { params })
  await api.send('restore_form_submission', { params })
  await api.send('mark_form_submission_spam', { params })
  await api.send('restore_form_submission', { params })
  await api.send('revert_form', { params: { form_id }, body: { since: Math.floor(Date.now() / 1000) - 60 } })
}

/** Asks for a call in a form once a minute, and approves or declines the request. */
let lastRequest = 0
const callBack: Action = async (api) => {
  const { actor, requests, ledger } = api
  if (actor.target !== null || Date.now() - lastRequest < 60_000) return
  lastRequest = Date.now()
  const from_number = api.pick('number')?.split(' ')[1]
  const call_back = { countries: ['US'], hours: allDay(), ...(from_number && { from_number }) }
  const key = await api.send('create_write_key', {
    body: { name: 'Site', purposes: ['forms'], mode: 'test' },
    allow: [409],
  })
  const form = await api.send('create_form', {
    body: { name: api.text(), status: 'live', fields: [phoneField], consent: callConsent, call_back },
    allow: [409],
  })
  if (!form.ok || !key.ok) return
  const { form_id } = form.body.data
  const answers = { phone: `+1628555${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}` }
  if (!(await requests.submitForm(actor, form_id, key.body.data.key, answers))) return
  const { body } = await api.send('list_form_submissions', { query: { form_id } })
  const submission_id = body?.data?.[0]?.submission_id
  if (!submission_id) return ledger.fault(`form ${form_id} has no submission`)
  await api.send('restore_form_submission', { params: { submission_id } })
  const listed = await api.send('list_call_back_requests', { query: { form_id } })
  const request = listed.body?.data?.[0]
  if (!request) return ledger.fault(`form ${form_id} has no call-back request`)
  const params = { request_id: request.request_id }
  await api.send('get_call_back_request', { params })
  // Allowed: the number had a request today, or the number of the organization was removed.
  const allow = [400, 409, 429, 502]
  await api.send('approve_call_back_request', { params, body: {}, mode: 'test', allow })
  await api.send('decline_call_back_request', { params, body: {}, allow: [409] })
}

/** Creates, changes and deletes a form. */
const formLife: Action = async (api) => {
  const fields = [{ key: 'email', label: 'E-mail', type: 'email', maps_to: 'email' }]
  const sent = (nonce: string) => ({ body: { name: api.text(nonce), fields }, allow: [409] })
  const answer = await api.create('form', 'create_form', sent, (body) => body.data.form_id)
  if (!answer) return
  const { form_id } = answer.body.data
  const params = { form_id }
  await api.send('update_form', { params, body: { status: 'live' } })
  await api.send('get_form', { params })
  await api.send('list_forms')
  await api.send('list_form_versions', { params })
  await api.change('form', form_id, { $there: 'no' }, 'delete_form', { params, allow: [404] })
}

export const trackingActs: WeightedActions = [
  [1, usage],
  [1, reports],
  [0.5, settings],
  [0.5, identitySecret],
  [1, formLife],
  [0.5, submission],
  [0.5, callBack],
]
