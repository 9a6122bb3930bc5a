import { chance, oneOf } from '../dice.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

const html = (text: string) => `<p><b>{{ display_name }}</b><br>{{ title }} ${text}</p>`

const createTemplate: Action = async (api) => {
  const sent = (nonce: string) => ({ body: { name: api.text(nonce), html: html(api.text()) } })
  const answer = await api.create(
    'template',
    'create_signature_template',
    sent,
    (body) => body.data.template_id,
    ['html'],
  )
  if (answer) api.keep('template', answer.body.data.template_id)
}

const createMailbox: Action = async (api) => {
  const template_id = api.pick('template')
  if (!template_id) return createTemplate(api)
  const persona_id = api.pick('persona')
  const sent = (nonce: string) => ({
    body: {
      ...{
        email: api.email(nonce),
        template_id,
        display_name: api.text(),
        fields: { title: api.text() },
      },
      ...(persona_id && chance(0.5) && { persona_id }),
    },
  })
  const answer = await api.create('mailbox', 'create_mailbox', sent, (body) => body.data.mailbox_id, [
    'display_name',
  ])
  if (answer) api.keep('mailbox', answer.body.data.mailbox_id)
}

const changeTemplate: Action = async (api) => {
  const template_id = api.pick('template')
  if (!template_id) return createTemplate(api)
  const { body } = await api.send('get_signature_template', { params: { template_id } })
  const change = { html: html(api.text()) }
  const request = { params: { template_id }, body: change, ifMatch: body.data.version, allow: [409] }
  await api.change('template', template_id, change, 'update_signature_template', request)
}

const changeMailbox: Action = async (api) => {
  const mailbox_id = api.pick('mailbox')
  if (!mailbox_id) return createMailbox(api)
  const change = { display_name: api.text() }
  const request = { params: { mailbox_id }, body: change, allow: [404, 409] }
  await api.change('mailbox', mailbox_id, change, 'update_mailbox', request)
}

const deletions: Action = async (api) => {
  const sent = (nonce: string) => ({ body: { name: api.text(nonce), html: html(api.text()) } })
  const made = await api.create(
    'template',
    'create_signature_template',
    sent,
    (body) => body.data.template_id,
  )
  if (!made) return
  const { template_id } = made.body.data
  const mailbox = (nonce: string) => ({ body: { email: api.email(nonce), template_id } })
  const answer = await api.create('mailbox', 'create_mailbox', mailbox, (body) => body.data.mailbox_id)
  if (!answer) return
  const { mailbox_id } = answer.body.data
  await api.send('delete_signature_template', { params: { template_id }, allow: [204, 409] })
  const gone = { $there: 'no' }
  const allow = [404]
  await api.change('mailbox', mailbox_id, gone, 'delete_mailbox', { params: { mailbox_id }, allow })
  await api.change('template', template_id, gone, 'delete_signature_template', {
    params: { template_id },
    allow,
  })
}

const keepPush = (api: ActorClient, push_id: string) => {
  api.keep('push', push_id)
  const creation = api.ledger.begin('push', api.actor.orgId, push_id)
  api.ledger.acknowledge(creation, push_id)
}

const pushMailbox: Action = async (api) => {
  const mailbox_id = api.pick('mailbox')
  if (!mailbox_id) return createMailbox(api)
  const mode = chance(0.3) ? 'test' : 'live'
  const { body } = await api.send('get_mailbox', { params: { mailbox_id } })
  const { version } = body.data
  const answer = await api.send('push_mailbox', {
    params: { mailbox_id },
    body: { version },
    mode,
    allow: [409],
  })
  if (answer.ok) keepPush(api, answer.body.data.push_id)
}

const pushTemplate: Action = async (api) => {
  const template_id = api.pick('template')
  if (!template_id) return createTemplate(api)
  const { body } = await api.send('get_signature_template', { params: { template_id } })
  const { version } = body.data
  const answer = await api.send('push_signature_template', {
    params: { template_id },
    body: { version },
    allow: [409],
  })
  if (!answer.ok) return
  const { rollout_id } = answer.body.data
  api.keep('rollout', rollout_id)
  api.ledger.acknowledge(api.ledger.begin('rollout', api.actor.orgId, rollout_id), rollout_id)
}

const reads: Action = async (api) => {
  const [mailbox_id, push_id, rollout_id] = ['mailbox', 'push', 'rollout'].map((name) => api.pick(name))
  if (mailbox_id) {
    await api.send('preview_mailbox', { params: { mailbox_id } })
    await api.send('get_sandbox_signature', { params: { mailbox_id }, allow: [404] })
    await api.send('preview_signature_template', { body: { html: html(api.text()), mailbox_id } })
  }
  if (push_id) await api.send('get_signature_push', { params: { push_id } })
  if (rollout_id) await api.send('get_signature_rollout', { params: { rollout_id } })
  await api.send(oneOf(['list_signature_templates', 'list_mailboxes', 'list_signature_pushes']))
}

const settings: Action = async (api) => {
  await api.send('get_signature_settings')
  if (chance(0.2)) await api.send('update_signature_settings', { body: { gmail: { service_account: null } } })
}

export const signatureActs: WeightedActions = [
  [1, createTemplate],
  [2, createMailbox],
  [1, changeTemplate],
  [2, changeMailbox],
  [1, deletions],
  [3, pushMailbox],
  [0.7, pushTemplate],
  [2, reads],
  [0.5, settings],
]
