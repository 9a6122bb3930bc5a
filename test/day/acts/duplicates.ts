import { chance, newNonce, oneOf } from '../dice.ts'
import type { Act, Acts, Visit } from './act.ts'

const kinds = {
  contact: { name: 'create_contact', id: 'contact_id' },
  company: { name: 'create_company', id: 'company_id' },
  deal: { name: 'create_deal', id: 'deal_id' },
} as const
type Kind = keyof typeof kinds

function bodyOf(visit: Visit, kind: Kind, nonce: string): Record<string, unknown> {
  const base = { source: nonce, tags: [visit.actor.marker], city: visit.text(nonce) }
  const company_id = visit.pick('merged company')
  if (kind === 'contact')
    return {
      ...base,
      last_name: visit.text(nonce),
      email: visit.email(nonce),
      ...(company_id && { company_id }),
    }
  if (kind === 'company') return { ...base, name: visit.text(nonce) }
  const contact_ids = [visit.pick('merged contact')].flatMap((id) => id ?? [])
  return { name: visit.text(nonce), source: nonce, contact_ids, ...(company_id && { company_id }) }
}

async function mergeable(visit: Visit, kind: Kind): Promise<string | undefined> {
  const { name, id } = kinds[kind]
  const sent = (nonce: string) => ({ body: bodyOf(visit, kind, nonce) })
  const told = await visit.create(`merged ${kind}`, name, sent, (body) => body.data[id])
  if (told) visit.keep(`merged ${kind}`, told.body.data[id])
  return told?.body.data[id]
}

/** Changes the status of a merge. Only the act that took the merge may do this, so it knows the status. */
const setStatus = (visit: Visit, merge_id: string, status: string, name: string, allow: number[] = []) =>
  visit.change('merge', merge_id, { status }, name, { params: { id: merge_id }, allow })

const merge: Act = async (visit) => {
  const kind = oneOf(Object.keys(kinds) as Kind[])
  const [survivor_id, ...losers] = [visit.pick(`merged ${kind}`), await mergeable(visit, kind)]
  const loser_ids = losers.flatMap((id) => (id && id !== survivor_id ? id : []))
  if (!survivor_id || loser_ids.length === 0) return
  const body = { entity_type: kind, survivor_id, loser_ids, force: true }
  if (chance(0.2)) await visit.send('merge_records', { body: { ...body, dry_run: true }, allow: [409, 404] })
  // Another act may have merged or archived the survivor.
  const told = await visit.send('merge_records', { body, allow: [409, 404, 422, 400] })
  if (!told.ok) return
  for (const { merge_id } of told.body.data.merges) {
    visit.ledger.owners.set(merge_id, visit.actor.orgId)
    const { sentAt, answeredAt: endAt } = told
    visit.ledger.write('merge', merge_id, 'status', { value: 'applied', sentAt, endAt, acknowledged: true })
    visit.keep('merge', merge_id)
  }
}

const undo: Act = async (visit) => {
  const id = visit.take('merge')
  if (!id) return merge(visit)
  await visit.send('get_merge', { params: { merge_id: id } })
  if (chance(0.2)) await visit.send('undo_merge', { params: { id }, body: { dry_run: true }, allow: [409] })
  const undone = await setStatus(visit, id, 'undone', 'undo_merge', [409])
  if (undone.ok && chance(0.5)) await setStatus(visit, id, 'applied', 'redo_merge', [409])
  else if (undone.ok) return
  visit.keep('merge', id)
}

const writeMerged: Act = async (visit) => {
  const id = visit.pick('merged contact')
  if (!id) return merge(visit)
  await visit.send('update_contact', {
    params: { contact_id: id },
    body: { city: visit.text() },
    allow: [409],
  })
  await visit.send('get_contact', { params: { contact_id: id } })
}

const twins: Act = async (visit) => {
  const nonce = newNonce()
  for (let count = 0; count < 2; count++) {
    const person = { first_name: 'Ada', last_name: visit.text(nonce), email: visit.email(nonce) }
    const sent = (source: string) => ({ body: { ...person, source, tags: [visit.actor.marker] } })
    const told = await visit.create('merged contact', 'create_contact', sent, (body) => body.data.contact_id)
    if (told) visit.keep('merged contact', told.body.data.contact_id)
  }
}

const proposals: Act = async (visit) => {
  const query = { include_shadow: true, entity_type: 'contact', limit: 50 }
  const told = await visit.send('list_merges', { query })
  if (!told.ok) return
  // Merge only records that no other act uses.
  const mine = new Set(visit.pool('merged contact'))
  const shadows = (
    told.body.data as { is_shadow: boolean; merge_id: string; survivor_id: string; loser_id: string }[]
  ).filter((row) => row.is_shadow && mine.has(row.survivor_id) && mine.has(row.loser_id))
  for (const { merge_id } of shadows.slice(0, 3)) {
    const name = oneOf(['apply_shadow_merge', 'dismiss_shadow_merge'])
    const answered = await visit.send(name, { params: { id: merge_id }, allow: [409] })
    if (answered.ok && name === 'apply_shadow_merge') {
      const { sentAt, answeredAt: endAt, body } = answered
      const value = 'applied'
      visit.ledger.write('merge', body.data.merge_id, 'status', { value, sentAt, endAt, acknowledged: true })
    }
  }
  if (shadows.length === 0) return twins(visit)
  const merge_ids = shadows.slice(3, 10).map(({ merge_id }) => merge_id)
  const name = oneOf(['apply_shadow_merges', 'dismiss_shadow_merges'])
  if (merge_ids.length > 0) await visit.send(name, { body: { merge_ids } })
}

const candidates: Act = async (visit) => {
  const record_id = visit.pick('merged contact')
  if (record_id)
    await visit.send('list_duplicate_candidates', {
      query: { entity_type: 'contact', record_id },
      allow: [409],
    })
}

const scan: Act = async (visit) => {
  const entity_type = oneOf(['contact', 'company', 'deal'])
  const told = await visit.send('scan_duplicates', { body: { entity_type }, allow: [409] })
  if (told.ok) {
    visit.keep('scan', told.body.data.scan_id)
    visit.ledger.owners.set(told.body.data.scan_id, visit.actor.orgId)
  }
}

const scans: Act = async (visit) => {
  await visit.send('list_scans', { query: { limit: 10 } })
  const id = visit.pick('scan')
  if (id) await visit.send('get_scan', { params: { scan_id: id } })
  else await scan(visit)
}

/** Sets one mode for each org, once. Mode `auto` would merge records that other acts use. */
const settings: Act = async (visit) => {
  await visit.send('get_duplicate_settings')
  if (chance(0.7)) return
  // Not 0.9: the default is not stored.
  const value = 0.901 + Math.floor(Math.random() * 89) / 1000
  const body = { contact: { review_threshold: value } }
  await visit.change(
    'duplicate_settings',
    visit.actor.orgId,
    { contact: String(value) },
    'update_duplicate_settings',
    { body },
  )
}

export const duplicateActs: Acts = [
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
