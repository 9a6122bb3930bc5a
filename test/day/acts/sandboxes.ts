import { oneOf } from '../dice.ts'
import type { Act, Acts } from './act.ts'

const sandbox: Act = async (visit) => {
  // Copy no settings: the audit expects each text in one organization only.
  const copy = oneOf(['nothing', 'sample'])
  // 409: the organization already has five sandboxes.
  const told = await visit.send('create_sandbox', { body: { name: visit.text(), copy }, allow: [409] })
  if (!told.ok) return visit.send('list_sandboxes')
  const { org_id, api_key_token: token } = told.body.data
  visit.ledger.sandboxes.set(org_id, visit.actor.orgId)
  visit.actor.relatives.add(org_id)
  const params = { org_id }
  await visit.send('get_sandbox', { params })
  await visit.send('list_sandboxes', { query: { limit: 10 } })
  await visit.send('list_contacts', { token, query: { limit: 1 } })
  // 404: an earlier try whose answer was lost has deleted the sandbox.
  await visit.send('delete_sandbox', { params, allow: [404] })
}

export const sandboxActs: Acts = [[0.3, sandbox]]
