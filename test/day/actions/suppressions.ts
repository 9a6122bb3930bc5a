import type { Action, WeightedActions } from './action.ts'

let numbers = 0
const newNumber = () => `+1303555${String(numbers++ % 10_000).padStart(4, '0')}`

const suppress: Action = async (api) => {
  const body = { number: newNumber(), reason: api.text() }
  const answer = await api.send('create_suppression', { body })
  if (answer.ok) api.keep('suppression', answer.body.data.suppression_id)
}

const suppressMany: Action = (api) => {
  const suppressions = Array.from({ length: 20 }, () => ({ number: newNumber(), reason: api.text() }))
  return api.send('import_suppressions', { body: { suppressions } })
}

const read: Action = async (api) => {
  const suppression_id = api.pick('suppression')
  if (!suppression_id) return suppress(api)
  await api.send('list_suppressions', { query: { limit: 20 } })
  // 404: another action deleted the suppression.
  await api.send('get_suppression', { params: { suppression_id }, allow: [404] })
  await api.send('export_suppressions')
}

const allowAgain: Action = async (api) => {
  const suppression_id = api.take('suppression')
  if (!suppression_id) return suppress(api)
  // 404: an earlier try whose answer was lost has deleted the suppression.
  await api.send('delete_suppression', { params: { suppression_id }, allow: [404] })
}

export const suppressionActs: WeightedActions = [
  [1, suppress],
  [0.3, suppressMany],
  [1, read],
  [0.5, allowAgain],
]
