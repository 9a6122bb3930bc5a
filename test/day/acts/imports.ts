import { chance, newNonce, oneOf } from '../dice.ts'
import type { Act, Acts, Visit } from './act.ts'

const rows = 40

async function upload(visit: Visit, isContacts: boolean): Promise<string | null> {
  const word = newNonce()
  // Each row has a unique word, and the last row is invalid.
  const named = Array.from({ length: rows }, (_, row) => `${word}r${row}`)
  const csv = isContacts
    ? `email,last name\n${named.map((each) => `${visit.email(each)},${visit.text(each)}\n`).join('')}nobody,\n`
    : `name,city\n${named.map((each) => `${visit.text(each)},${visit.text(each)}\n`).join('')},\n`
  const name = isContacts ? 'import_contacts' : 'import_companies'
  const sent = (nonce: string) => {
    const file_name = `${visit.text(nonce)}.csv`
    return chance(0.5) ? { csv, query: { file_name } } : { body: { csv, file_name } }
  }
  const told = await visit.create('import', name, sent, (body) => body.data.import_id)
  if (!told) return null
  const { import_id } = told.body.data
  visit.ledger.imports.push({ orgId: visit.actor.orgId, importId: import_id, isContacts, word, rows })
  return import_id
}

const start: Act = async (visit) => {
  const import_id = await upload(visit, chance(0.7))
  if (import_id) visit.keep('import', import_id)
}

const read: Act = async (visit) => {
  const import_id = visit.pick('import')
  if (!import_id) return start(visit)
  await visit.send('list_imports', { query: { limit: 10 } })
  await visit.send('get_import', { params: { import_id } })
  await visit.send('list_import_rows', { params: { import_id }, query: { limit: 50 } })
  await visit.send('export_import_rows', { params: { import_id } })
  await visit.send('list_contacts', { query: { import_id, limit: 10 } })
}

const inspect: Act = async (visit) => {
  const csv = `email,last name\n${visit.email(newNonce())},Lovelace\n`
  await visit.send(oneOf(['inspect_contacts_file', 'inspect_companies_file']), { csv })
}

const revert: Act = async (visit) => {
  const import_id = visit.take('import')
  if (!import_id) return start(visit)
  // 409: the import has not ended.
  const told = await visit.send('revert_import', { params: { import_id }, allow: [409] })
  if (!told.ok) return visit.keep('import', import_id)
  const { sentAt, answeredAt: endAt } = told
  visit.ledger.write('import', import_id, 'status', { value: 'reverted', sentAt, endAt, acknowledged: true })
}

export const importActs: Acts = [
  [1, start],
  [2, read],
  [0.5, inspect],
  [0.5, revert],
]
