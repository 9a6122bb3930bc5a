import type { Act, Acts } from './act.ts'

let numbers = 0
const newNumber = () => `+1303555${String(numbers++ % 10_000).padStart(4, '0')}`

const suppress: Act = async (visit) => {
  const body = { number: newNumber(), reason: visit.text() }
  const told = await visit.send('create_suppression', { body })
  if (told.ok) visit.keep('suppression', told.body.data.suppression_id)
}

const suppressMany: Act = (visit) => {
  const suppressions = Array.from({ length: 20 }, () => ({ number: newNumber(), reason: visit.text() }))
  return visit.send('import_suppressions', { body: { suppressions } })
}

const read: Act = async (visit) => {
  const suppression_id = visit.pick('suppression')
  if (!suppression_id) return suppress(visit)
  await visit.send('list_suppressions', { query: { limit: 20 } })
  // 404: another act deleted the suppression.
  await visit.send('get_suppression', { params: { suppression_id }, allow: [404] })
  await visit.send('export_suppressions')
}

const allowAgain: Act = async (visit) => {
  const suppression_id = visit.take('suppression')
  if (!suppression_id) return suppress(visit)
  // 404: an earlier try whose answer was lost has deleted the suppression.
  await visit.send('delete_suppression', { params: { suppression_id }, allow: [404] })
}

export const suppressionActs: Acts = [
  [1, suppress],
  [0.3, suppressMany],
  [1, read],
  [0.5, allowAgain],
]
