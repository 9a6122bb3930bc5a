import { chance, oneOf } from '../dice.ts'
import type { Act, Acts } from './act.ts'

const usual = ['New', 'Qualified', 'Proposal', 'Negotiation']

const close: Act = async (visit) => {
  const deal_id = visit.take('closable deal')
  if (!deal_id) {
    const sent = (nonce: string) => ({
      body: {
        name: visit.text(nonce),
        source: nonce,
        tags: [visit.actor.marker],
        amount_cents: 500,
        currency: 'EUR',
      },
    })
    const told = await visit.create('deal', 'create_deal', sent, (body) => body.data.deal_id)
    if (told) visit.keep('closable deal', told.body.data.deal_id)
    return
  }
  const status = oneOf(['won', 'lost'])
  const close_reason_id = chance(0.3) ? visit.pick('close reason') : undefined
  const request = {
    params: { deal_id },
    body: { status, ...(close_reason_id && { close_reason_id }) },
    allow: [400],
  }
  const closed = await visit.change('deal', deal_id, { status }, 'close_deal', request, 'deal.closed')
  if (closed.ok && chance(0.6))
    await visit.change(
      'deal',
      deal_id,
      { status: 'open' },
      'reopen_deal',
      { params: { deal_id } },
      'deal.reopened',
    )
  else if (closed.ok) return
  visit.keep('closable deal', deal_id)
}

/** Changes the stages of an org one at a time, so that the current ones are known. */
const stages: Act = async (visit) => {
  const { body } = await visit.send('get_deal_stages')
  if (chance(0.5)) return
  // Keep the default stages, because open deals are in them.
  const list = [...usual, visit.text()]
  const request = { body: { stages: list }, ifMatch: body.data.version, allow: [409] }
  const value = JSON.stringify(list)
  await visit.change('deal_pipeline', visit.actor.orgId, { stages: value }, 'replace_deal_stages', request)
}

const summary: Act = (visit) => visit.send('summarize_deals')

const createReason: Act = async (visit) => {
  if (visit.pool('all close reasons').length >= 60) return visit.send('list_close_reasons')
  const outcome = oneOf(['won', 'lost', 'any'])
  const sent = (nonce: string) => ({
    body: { label: visit.text(nonce), outcome, ...(chance(0.5) && { position: 1 }) },
  })
  const told = await visit.create(
    'close_reason',
    'create_close_reason',
    sent,
    (body) => body.data.close_reason_id,
  )
  if (!told) return
  const { close_reason_id } = told.body.data
  visit.pool('all close reasons').push(close_reason_id)
  visit.keep('close reason', close_reason_id)
  visit.ledger.effect(visit.actor.orgId, 'close_reason.created', close_reason_id, 1, 0)
}

const changeReason: Act = async (visit) => {
  const close_reason_id = visit.take('close reason')
  if (!close_reason_id) return createReason(visit)
  const params = { close_reason_id }
  const change = (fields: Record<string, string | null>, name: string, body?: object) =>
    visit.change('close_reason', close_reason_id, fields, name, { params, ...(body && { body }) })
  const outcome = oneOf(['won', 'lost', 'any'])
  await change({ outcome }, 'update_close_reason', { outcome, ...(chance(0.5) && { position: 1 }) })
  if (chance(0.3)) {
    await change({ $archived: 'yes' }, 'archive_close_reason')
    if (chance(0.3)) return
    await change({ $archived: 'no' }, 'restore_close_reason')
  }
  visit.keep('close reason', close_reason_id)
}

const reasons: Act = async (visit) => {
  const told = await visit.send('list_close_reasons', {
    query: chance(0.5) ? { archived: true } : {},
  })
  if (!told.ok) return
  const positions = told.body.data.close_reasons.flatMap(
    ({ position }: { position: number | null }) => position ?? [],
  )
  const [first] = told.body.data.close_reasons
  if (first)
    await visit.send('get_close_reason', { params: { close_reason_id: first.close_reason_id }, allow: [404] })
  if (positions.some((position: number, index: number) => position !== index + 1))
    visit.ledger.fault(`close reasons of ${visit.actor.marker} stand at ${positions}`)
}

export const dealActs: Acts = [
  [6, close],
  [1, stages],
  [2, summary],
  [2, createReason],
  [2, changeReason],
  [2, reasons],
]
