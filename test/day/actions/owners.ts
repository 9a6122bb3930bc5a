import type { Action, WeightedActions } from './action.ts'

const list: Action = async (api) => {
  await api.send('list_owners', {})
}

export const ownerActs: WeightedActions = [[1, list]]
