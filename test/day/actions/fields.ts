import { randomUUID } from 'node:crypto'
import type { Action, WeightedActions } from './action.ts'

// Only fields of deals: while an import runs, the fields of contacts or companies cannot change.
const fieldsMax = 40

const create: Action = async (api) => {
  await api.send('list_fields', { query: { entity: 'deal' } })
  if (api.pool('all fields').length >= fieldsMax) return
  const sent = (nonce: string) => ({
    body: {
      entity: 'deal',
      key: `day ${randomUUID()}`,
      label: api.text(nonce),
      type: 'text',
      description: api.text(),
    },
  })
  const answer = await api.create('field', 'create_field', sent, (body) => body.data.field_id, [
    'description',
  ])
  if (!answer) return
  const { field_id } = answer.body.data
  api.pool('all fields').push(field_id)
  api.keep('field', field_id)
}

const read: Action = async (api) => {
  const field_id = api.pick('field')
  if (!field_id) return create(api)
  const answer = await api.send('get_field', { params: { field_id } })
  if (answer.ok) api.sees('field', field_id, ['description'], answer.body.data, answer)
}

const change: Action = async (api) => {
  const field_id = api.pick('field')
  if (!field_id) return create(api)
  const fields = { description: api.text() }
  await api.change('field', field_id, fields, 'update_field', { params: { field_id }, body: fields })
}

const remove: Action = async (api) => {
  const field_id = api.take('field')
  if (!field_id) return create(api)
  await api.change('field', field_id, { $there: 'no' }, 'delete_field', {
    params: { field_id },
    allow: [404],
  })
}

export const fieldActs: WeightedActions = [
  [2, create],
  [1, read],
  [1, change],
  [1, remove],
]
