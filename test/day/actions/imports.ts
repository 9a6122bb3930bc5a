import { chance, newNonce, oneOf } from '../dice.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

const rows = 40

async function upload(api: ActorClient, isContacts: boolean): Promise<string | null> {
  const word = newNonce()
  // Each row has a unique word, and the last row is invalid.
  const named = Array.from({ length: rows }, (_, row) => `${word}r${row}`)
  const csv = isContacts
    ? `email,last name\n${named.map((each) => `${api.email(each)},${api.text(each)}\n`).join('')}nobody,\n`
    : `name,city\n${named.map((each) => `${api.text(each)},${api.text(each)}\n`).join('')},\n`
  const name = isContacts ? 'import_contacts' : 'import_companies'
  const sent = (nonce: string) => {
    const file_name = `${api.text(nonce)}.csv`
    return chance(0.5) ? { csv, query: { file_name } } : { body: { csv, file_name } }
  }
  const answer = await api.create('import', name, sent, (body) => body.data.import_id)
  if (!answer) return null
  const { import_id } = answer.body.data
  api.ledger.imports.push({ orgId: api.actor.orgId, importId: import_id, isContacts, word, rows })
  return import_id
}

const start: Action = async (api) => {
  const import_id = await upload(api, chance(0.7))
  if (import_id) api.keep('import', import_id)
}

const read: Action = async (api) => {
  const import_id = api.pick('import')
  if (!import_id) return start(api)
  await api.send('list_imports', { query: { limit: 10 } })
  await api.send('get_import', { params: { import_id } })
  await api.send('list_import_rows', { params: { import_id }, query: { limit: 50 } })
  await api.send('export_import_rows', { params: { import_id } })
  await api.send('list_contacts', { query: { import_id, limit: 10 } })
}

const inspect: Action = async (api) => {
  const csv = `email,last name\n${api.email(newNonce())},Lovelace\n`
  await api.send(oneOf(['inspect_contacts_file', 'inspect_companies_file']), { csv })
}

const revert: Action = async (api) => {
  const import_id = api.take('import')
  if (!import_id) return start(api)
  // 409: the import has not ended.
  const answer = await api.send('revert_import', { params: { import_id }, allow: [409] })
  if (!answer.ok) return api.keep('import', import_id)
  const { sentAt, answeredAt: endAt } = answer
  api.ledger.write('import', import_id, 'status', { value: 'reverted', sentAt, endAt, acknowledged: true })
}

/** A file of 40 rows is one lot: the import of a canceled file has all rows or none. */
const cancel: Action = async (api) => {
  const import_id = await upload(api, chance(0.7))
  const sent = api.ledger.imports.find(({ importId }) => importId === import_id)
  if (!import_id || !sent) return
  sent.mayBeCanceled = true
  // 409: the import has ended.
  await api.send('cancel_import', { params: { import_id }, allow: [409] })
}

export const importActs: WeightedActions = [
  [1, start],
  [2, read],
  [0.5, inspect],
  [0.5, revert],
  [0.5, cancel],
]
