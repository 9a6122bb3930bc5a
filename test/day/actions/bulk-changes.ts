import { randomUUID } from 'node:crypto'
import { chance } from '../dice.ts'
import type { Action, WeightedActions } from './action.ts'

/** Changes no record of other acts: no record has the tag. */
const change: Action = async (api) => {
  const body = {
    entity: 'contact',
    filter: { field: 'tag', value: `day ${randomUUID()}` },
    change: { add_tags: ['changed'] },
  }
  const preview = await api.send('preview_bulk_change', { body, allow: [429] })
  if (!preview.ok) return
  const { ok, body: answer } = await api.send('create_bulk_change', { body, allow: [429] })
  if (!ok) return
  const params = { bulk_change_id: answer.data.bulk_change_id }
  await api.send('get_bulk_change', { params, allow: [404] })
  await api.send('list_bulk_changes', { query: { limit: 10 } })
  // 409: the change has ended.
  if (chance(0.5)) await api.send('cancel_bulk_change', { params, allow: [404, 409] })
}

export const bulkChangeActs: WeightedActions = [[1, change]]
