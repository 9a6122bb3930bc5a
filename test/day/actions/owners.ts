import type { Action, WeightedActions } from './action.ts'

const list: Action = async (api) => {
  const { body } = await api.send('list_owners', {})
  const [owner] = body.data
  if (!owner) return
  const params = { owner_id: owner.owner_id }
  await api.send('get_owner', { params })
  await api.send('reassign_owner', { params, body: { to_owner_id: null } })
}

export const ownerActs: WeightedActions = [[1, list]]
