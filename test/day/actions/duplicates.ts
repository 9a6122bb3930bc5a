import { chance, newNonce, oneOf } from '../dice.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

const kinds = {
  contact: { name: 'create_contact', id: 'contact_id' },
  company: { name: 'create_company', id: 'company_id' },
  deal: { name: 'create_deal', id: 'deal_id' },
} as const
type Kind = keyof typeof kinds

function bodyOf(api: ActorClient, kind: Kind, nonce: string): Record<string, unknown> {
  const base = { source: nonce, tags: [api.actor.marker], city: api.text(nonce) }
  const company_id = api.pick('merged company')
  if (kind === 'contact')
    return {
      ...base,
      last_name: api.text(nonce),
      email: api.email(nonce),
      ...(company_id && { company_id }),
    }
  if (kind === 'company') return { ...base, name: api.text(nonce) }
  const contact_ids = [api.pick('merged contact')].flatMap((id) => id ?? [])
  return { name: api.text(nonce), source: nonce, contact_ids, ...(company_id && { company_id }) }
}

async function mergeable(api: ActorClient, kind: Kind): Promise<string | undefined> {
  const { name, id } = kinds[kind]
  const sent = (nonce: string) => ({ body: bodyOf(api, kind, nonce) })
  const answer = await api.create(`merged ${kind}`, name, sent, (body) => body.data[id])
  if (answer) api.keep(`merged ${kind}`, answer.body.data[id])
  return answer?.body.data[id]
}

/** Changes the status of a merge. Only the action that took the merge may do this, so it knows the status. */
const setStatus = (api: ActorClient, merge_id: string, status: string, name: string, allow: number[] = []) =>
  api.change('merge', merge_id, { status }, name, { params: { id: merge_id }, allow })

const merge: Action = async (api) => {
  const kind = oneOf(Object.keys(kinds) as Kind[])
  const [survivor_id, ...losers] = [api.pick(`merged ${kind}`), await mergeable(api, kind)]
  const loser_ids = losers.flatMap((id) => (id && id !== survivor_id ? id : []))
  if (!survivor_id || loser_ids.length === 0) return
  const body = { entity_type: kind, survivor_id, loser_ids, force: true }
  if (chance(0.2)) await api.send('merge_records', { body: { ...body, dry_run: true }, allow: [409, 404] })
  // Another action may have merged or archived the survivor.
  const answer = await api.send('merge_records', { body, allow: [409, 404, 422, 400] })
  if (!answer.ok) return
  for (const { merge_id } of answer.body.data.merges) {
    api.ledger.owners.set(merge_id, api.actor.orgId)
    const { sentAt, answeredAt: endAt } = answer
    api.ledger.write('merge', merge_id, 'status', { value: 'applied', sentAt, endAt, acknowledged: true })
    api.keep('merge', merge_id)
  }
}

const undo: Action = async (api) => {
  const id = api.take('merge')
  if (!id) return merge(api)
  await api.send('get_merge', { params: { merge_id: id } })
  if (chance(0.2)) await api.send('undo_merge', { params: { id }, body: { dry_run: true }, allow: [409] })
  const undone = await setStatus(api, id, 'undone', 'undo_merge', [409])
  if (undone.ok && chance(0.5)) await setStatus(api, id, 'applied', 'redo_merge', [409])
  else if (undone.ok) return
  api.keep('merge', id)
}

const writeMerged: Action = async (api) => {
  const id = api.pick('merged contact')
  if (!id) return merge(api)
  await api.send('update_contact', {
    params: { contact_id: id },
    body: { city: api.text() },
    allow: [409],
  })
  await api.send('get_contact', { params: { contact_id: id } })
}

const twins: Action = async (api) => {
  const nonce = newNonce()
  for (let count = 0; count < 2; count++) {
    const person = { first_name: 'Ada', last_name: api.text(nonce), email: api.email(nonce) }
    const sent = (source: string) => ({ body: { ...person, source, tags: [api.actor.marker] } })
    const answer = await api.create('merged contact', 'create_contact', sent, (body) => body.data.contact_id)
    if (answer) api.keep('merged contact', answer.body.data.contact_id)
  }
}

const proposals: Action = async (api) => {
  const query = { include_shadow: true, entity_type: 'contact', limit: 50 }
  const answer = await api.send('list_merges', { query })
  if (!answer.ok) return
  // Merge only records that no other action uses.
  const mine = new Set(api.pool('merged contact'))
  const shadows = (
    answer.body.data as { is_shadow: boolean; merge_id: string; survivor_id: string; loser_id: string }[]
  ).filter((row) => row.is_shadow && mine.has(row.survivor_id) && mine.has(row.loser_id))
  for (const { merge_id } of shadows.slice(0, 3)) {
    const name = oneOf(['apply_shadow_merge', 'dismiss_shadow_merge'])
    const answered = await api.send(name, { params: { id: merge_id }, allow: [409] })
    if (answered.ok && name === 'dismiss_shadow_merge' && chance(0.5))
      await api.send('reopen_shadow_merge', { params: { id: merge_id }, allow: [409] })
    if (answered.ok && name === 'apply_shadow_merge') {
      const { sentAt, answeredAt: endAt, body } = answered
      const value = 'applied'
      api.ledger.write('merge', body.data.merge_id, 'status', { value, sentAt, endAt, acknowledged: true })
    }
  }
  if (shadows.length === 0) return twins(api)
  const merge_ids = shadows.slice(3, 10).map(({ merge_id }) => merge_id)
  const name = oneOf(['apply_shadow_merges', 'dismiss_shadow_merges'])
  if (merge_ids.length > 0) await api.send(name, { body: { merge_ids } })
}

const candidates: Action = async (api) => {
  const record_id = api.pick('merged contact')
  if (record_id)
    await api.send('list_duplicate_candidates', {
      query: { entity_type: 'contact', record_id },
      allow: [409],
    })
}

const scan: Action = async (api) => {
  const entity_type = oneOf(['contact', 'company', 'deal'])
  const answer = await api.send('scan_duplicates', { body: { entity_type }, allow: [409] })
  if (answer.ok) {
    api.keep('scan', answer.body.data.scan_id)
    api.ledger.owners.set(answer.body.data.scan_id, api.actor.orgId)
  }
}

const scans: Action = async (api) => {
  await api.send('list_scans', { query: { limit: 10 } })
  const id = api.pick('scan')
  if (id) await api.send('get_scan', { params: { scan_id: id } })
  else await scan(api)
}

/** Sets one mode for each org, once. Mode `auto` would merge records that other actions use. */
const settings: Action = async (api) => {
  await api.send('get_duplicate_settings')
  if (chance(0.3))
    await api.send('preview_duplicate_settings', {
      body: { contact: { mode: 'auto', auto_threshold: 0.95, review_threshold: 0.8 } },
    })
  if (chance(0.7)) return
  // Not 0.9: the default is not stored.
  const value = 0.901 + Math.floor(Math.random() * 89) / 1000
  const body = { contact: { review_threshold: value } }
  await api.change(
    'duplicate_settings',
    api.actor.orgId,
    { contact: String(value) },
    'update_duplicate_settings',
    { body },
  )
}

export const duplicateActs: WeightedActions = [
  [5, merge],
  [4, undo],
  [2, writeMerged],
  [2, twins],
  [2, proposals],
  [1, candidates],
  [0.4, scan],
  [1, scans],
  [0.5, settings],
]
