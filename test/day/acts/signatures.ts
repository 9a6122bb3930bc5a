import { chance, oneOf } from '../dice.ts'
import type { Act, Acts, Visit } from './act.ts'

const html = (text: string) => `<p><b>{{ display_name }}</b><br>{{ title }} ${text}</p>`

const createTemplate: Act = async (visit) => {
  const sent = (nonce: string) => ({ body: { name: visit.text(nonce), html: html(visit.text()) } })
  const told = await visit.create(
    'template',
    'create_signature_template',
    sent,
    (body) => body.data.template_id,
    ['html'],
  )
  if (told) visit.keep('template', told.body.data.template_id)
}

const createMailbox: Act = async (visit) => {
  const template_id = visit.pick('template')
  if (!template_id) return createTemplate(visit)
  const persona_id = visit.pick('persona')
  const sent = (nonce: string) => ({
    body: {
      ...{
        email: visit.email(nonce),
        template_id,
        display_name: visit.text(),
        fields: { title: visit.text() },
      },
      ...(persona_id && chance(0.5) && { persona_id }),
    },
  })
  const told = await visit.create('mailbox', 'create_mailbox', sent, (body) => body.data.mailbox_id, [
    'display_name',
  ])
  if (told) visit.keep('mailbox', told.body.data.mailbox_id)
}

const changeTemplate: Act = async (visit) => {
  const template_id = visit.pick('template')
  if (!template_id) return createTemplate(visit)
  const { body } = await visit.send('get_signature_template', { params: { template_id } })
  const change = { html: html(visit.text()) }
  const request = { params: { template_id }, body: change, ifMatch: body.data.version, allow: [409] }
  await visit.change('template', template_id, change, 'update_signature_template', request)
}

const changeMailbox: Act = async (visit) => {
  const mailbox_id = visit.pick('mailbox')
  if (!mailbox_id) return createMailbox(visit)
  const change = { display_name: visit.text() }
  const request = { params: { mailbox_id }, body: change, allow: [404, 409] }
  await visit.change('mailbox', mailbox_id, change, 'update_mailbox', request)
}

const deletions: Act = async (visit) => {
  const sent = (nonce: string) => ({ body: { name: visit.text(nonce), html: html(visit.text()) } })
  const made = await visit.create(
    'template',
    'create_signature_template',
    sent,
    (body) => body.data.template_id,
  )
  if (!made) return
  const { template_id } = made.body.data
  const mailbox = (nonce: string) => ({ body: { email: visit.email(nonce), template_id } })
  const told = await visit.create('mailbox', 'create_mailbox', mailbox, (body) => body.data.mailbox_id)
  if (!told) return
  const { mailbox_id } = told.body.data
  await visit.send('delete_signature_template', { params: { template_id }, allow: [204, 409] })
  const gone = { $there: 'no' }
  const allow = [404]
  await visit.change('mailbox', mailbox_id, gone, 'delete_mailbox', { params: { mailbox_id }, allow })
  await visit.change('template', template_id, gone, 'delete_signature_template', {
    params: { template_id },
    allow,
  })
}

const keepPush = (visit: Visit, push_id: string) => {
  visit.keep('push', push_id)
  const creation = visit.ledger.begin('push', visit.actor.orgId, push_id)
  visit.ledger.acknowledge(creation, push_id)
}

const pushMailbox: Act = async (visit) => {
  const mailbox_id = visit.pick('mailbox')
  if (!mailbox_id) return createMailbox(visit)
  const mode = chance(0.3) ? 'test' : 'live'
  const { body } = await visit.send('get_mailbox', { params: { mailbox_id } })
  const { version } = body.data
  const told = await visit.send('push_mailbox', {
    params: { mailbox_id },
    body: { version },
    mode,
    allow: [409],
  })
  if (told.ok) keepPush(visit, told.body.data.push_id)
}

const pushTemplate: Act = async (visit) => {
  const template_id = visit.pick('template')
  if (!template_id) return createTemplate(visit)
  const { body } = await visit.send('get_signature_template', { params: { template_id } })
  const { version } = body.data
  const told = await visit.send('push_signature_template', {
    params: { template_id },
    body: { version },
    allow: [409],
  })
  if (!told.ok) return
  const { rollout_id } = told.body.data
  visit.keep('rollout', rollout_id)
  visit.ledger.acknowledge(visit.ledger.begin('rollout', visit.actor.orgId, rollout_id), rollout_id)
}

const reads: Act = async (visit) => {
  const [mailbox_id, push_id, rollout_id] = ['mailbox', 'push', 'rollout'].map((name) => visit.pick(name))
  if (mailbox_id) {
    await visit.send('preview_mailbox', { params: { mailbox_id } })
    await visit.send('get_sandbox_signature', { params: { mailbox_id }, allow: [404] })
  }
  if (push_id) await visit.send('get_signature_push', { params: { push_id } })
  if (rollout_id) await visit.send('get_signature_rollout', { params: { rollout_id } })
  await visit.send(oneOf(['list_signature_templates', 'list_mailboxes', 'list_signature_pushes']))
}

const settings: Act = async (visit) => {
  await visit.send('get_signature_settings')
  if (chance(0.2))
    await visit.send('update_signature_settings', { body: { gmail: { service_account: null } } })
}

export const signatureActs: Acts = [
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
