import { oneOf } from '../dice.ts'
import type { Action, WeightedActions } from './action.ts'

const sandbox: Action = async (api) => {
  // Copy no settings: the audit expects each text in one organization only.
  const copy = oneOf(['nothing', 'sample'])
  // 409: the organization already has five sandboxes.
  const answer = await api.send('create_sandbox', { body: { name: api.text(), copy }, allow: [409] })
  if (!answer.ok) return api.send('list_sandboxes')
  const { org_id, api_key_token: token } = answer.body.data
  api.ledger.sandboxes.set(org_id, api.actor.orgId)
  api.actor.relatives.add(org_id)
  const params = { org_id }
  await api.send('get_sandbox', { params })
  await api.send('list_sandboxes', { query: { limit: 10 } })
  await api.send('list_contacts', { token, query: { limit: 1 } })
  // 404: an earlier try whose answer was lost has deleted the sandbox.
  await api.send('delete_sandbox', { params, allow: [404] })
}

export const sandboxActs: WeightedActions = [[0.3, sandbox]]
