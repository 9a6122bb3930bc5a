import { chance } from '../dice.ts'
import type { Action, WeightedActions } from './action.ts'

const fields = ['description', 'greeting']

const create: Action = async (api) => {
  const sent = (nonce: string) => ({
    body: {
      name: api.text(nonce),
      greeting: api.text(),
      description: api.text(),
      voice: { language: 'en-US' },
    },
  })
  const answer = await api.create('persona', 'create_persona', sent, (body) => body.data.persona_id, fields)
  if (answer) api.keep('persona', answer.body.data.persona_id)
}

const read: Action = async (api) => {
  const persona_id = api.pick('persona')
  if (!persona_id) return create(api)
  const answer = await api.send('get_persona', { params: { persona_id } })
  if (answer.ok) api.sees('persona', persona_id, fields, answer.body.data, answer)
  if (answer.ok) api.version('persona', persona_id, answer.body.data)
}

const update: Action = async (api) => {
  const persona_id = api.pick('persona')
  if (!persona_id) return create(api)
  const change = { greeting: api.text() }
  const request = { params: { persona_id }, body: change, allow: [409] }
  await api.change('persona', persona_id, change, 'update_persona', request, 'persona.updated')
}

const live: Action = async (api) => {
  const persona_id = api.take('persona')
  if (!persona_id) return create(api)
  const move = (name: string, status: string) =>
    api.change('persona', persona_id, { status }, name, { params: { persona_id } })
  await move('activate_persona', 'active')
  if (chance(0.5)) {
    await move('archive_persona', 'archived')
    await move('restore_persona', 'active')
  }
  api.keep('persona', persona_id)
}

const list: Action = (api) =>
  api.send('list_personas', { query: chance(0.5) ? { status: 'active' } : { limit: 10 } })

export const personaActs: WeightedActions = [
  [2, create],
  [2, read],
  [2, update],
  [1, live],
  [1, list],
]
