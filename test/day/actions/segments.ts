import type { Action, WeightedActions } from './action.ts'

const segmentsMax = 60

const filter = { not: { field: 'city', op: 'starts_with', value: 'Nowhere' } }

const create: Action = async (api) => {
  if (api.pool('all segments').length >= segmentsMax) return read(api)
  const sent = (nonce: string) => ({
    body: { entity: 'contact', name: api.text(nonce).slice(0, 120), filter, sort: '-updated_at' },
  })
  const answer = await api.create('segment', 'create_segment', sent, (body) => body.data.segment_id, ['q'])
  if (!answer) return
  const { segment_id } = answer.body.data
  api.pool('all segments').push(segment_id)
  api.keep('segment', segment_id)
}

const read: Action = async (api) => {
  const segment_id = api.pick('segment')
  if (!segment_id) return create(api)
  const answer = await api.send('get_segment', { params: { segment_id }, allow: [404] })
  if (answer.ok) api.sees('segment', segment_id, ['q'], answer.body.data, answer)
  await api.send('list_segments', { query: { entity: 'contact' } })
}

const listRecords: Action = async (api) => {
  const segment_id = api.pick('segment')
  if (!segment_id) return create(api)
  await api.send('list_contacts', { query: { segment_id, limit: 5 }, allow: [404, 429] })
}

const change: Action = async (api) => {
  const segment_id = api.pick('segment')
  if (!segment_id) return create(api)
  const fields = { q: api.text().slice(0, 200) }
  await api.change('segment', segment_id, fields, 'update_segment', { params: { segment_id }, body: fields })
}

const remove: Action = async (api) => {
  const segment_id = api.take('segment')
  if (!segment_id) return create(api)
  await api.change('segment', segment_id, { $there: 'no' }, 'delete_segment', {
    params: { segment_id },
    allow: [404],
  })
}

export const segmentActs: WeightedActions = [
  [2, create],
  [1, read],
  [2, listRecords],
  [1, change],
  [1, remove],
]
