import { chance, oneOf } from '../dice.ts'
import type { Action, WeightedActions } from './action.ts'

const usual = ['New', 'Qualified', 'Proposal', 'Negotiation']

const close: Action = async (api) => {
  const deal_id = api.take('closable deal')
  if (!deal_id) {
    const sent = (nonce: string) => ({
      body: {
        name: api.text(nonce),
        source: nonce,
        tags: [api.actor.marker],
        amount_cents: 500,
        currency: 'EUR',
      },
    })
    const answer = await api.create('deal', 'create_deal', sent, (body) => body.data.deal_id)
    if (answer) api.keep('closable deal', answer.body.data.deal_id)
    return
  }
  const status = oneOf(['won', 'lost'])
  const close_reason_id = chance(0.3) ? api.pick('close reason') : undefined
  const request = {
    params: { deal_id },
    body: { status, ...(close_reason_id && { close_reason_id }) },
    allow: [400],
  }
  const closed = await api.change('deal', deal_id, { status }, 'close_deal', request, 'deal.closed')
  if (closed.ok && chance(0.6))
    await api.change(
      'deal',
      deal_id,
      { status: 'open' },
      'reopen_deal',
      { params: { deal_id } },
      'deal.reopened',
    )
  else if (closed.ok) return
  api.keep('closable deal', deal_id)
}

/** Changes the stages of an org one at a time, so that the current ones are known. */
const stages: Action = async (api) => {
  const { body } = await api.send('get_deal_stages')
  if (chance(0.5)) return
  // Keep the default stages, because open deals are in them.
  const list = [...usual, api.text()]
  const request = { body: { stages: list }, ifMatch: body.data.version, allow: [409] }
  const value = JSON.stringify(list)
  await api.change('deal_pipeline', api.actor.orgId, { stages: value }, 'replace_deal_stages', request)
}

const summary: Action = (api) => api.send('summarize_deals')

const createReason: Action = async (api) => {
  if (api.pool('all close reasons').length >= 60) return api.send('list_close_reasons')
  const outcome = oneOf(['won', 'lost', 'any'])
  const sent = (nonce: string) => ({
    body: { label: api.text(nonce), outcome, ...(chance(0.5) && { position: 1 }) },
  })
  const answer = await api.create(
    'close_reason',
    'create_close_reason',
    sent,
    (body) => body.data.close_reason_id,
  )
  if (!answer) return
  const { close_reason_id } = answer.body.data
  api.pool('all close reasons').push(close_reason_id)
  api.keep('close reason', close_reason_id)
  api.ledger.effect(api.actor.orgId, 'close_reason.created', close_reason_id, 1, 0)
}

const changeReason: Action = async (api) => {
  const close_reason_id = api.take('close reason')
  if (!close_reason_id) return createReason(api)
  const params = { close_reason_id }
  const change = (fields: Record<string, string | null>, name: string, body?: object) =>
    api.change('close_reason', close_reason_id, fields, name, { params, ...(body && { body }) })
  const outcome = oneOf(['won', 'lost', 'any'])
  await change({ outcome }, 'update_close_reason', { outcome, ...(chance(0.5) && { position: 1 }) })
  if (chance(0.3)) {
    await change({ $archived: 'yes' }, 'archive_close_reason')
    if (chance(0.3)) return
    await change({ $archived: 'no' }, 'restore_close_reason')
  }
  api.keep('close reason', close_reason_id)
}

const reasons: Action = async (api) => {
  const answer = await api.send('list_close_reasons', {
    query: chance(0.5) ? { archived: true } : {},
  })
  if (!answer.ok) return
  const positions = answer.body.data.close_reasons.flatMap(
    ({ position }: { position: number | null }) => position ?? [],
  )
  const [first] = answer.body.data.close_reasons
  if (first)
    await api.send('get_close_reason', { params: { close_reason_id: first.close_reason_id }, allow: [404] })
  if (positions.some((position: number, index: number) => position !== index + 1))
    api.ledger.fault(`close reasons of ${api.actor.marker} stand at ${positions}`)
}

export const dealActs: WeightedActions = [
  [6, close],
  [1, stages],
  [2, summary],
  [2, createReason],
  [2, changeReason],
  [2, reasons],
]
