import { chance } from '../dice.ts'
import type { Act, Acts } from './act.ts'

const fields = ['description', 'greeting']

const create: Act = async (visit) => {
  const sent = (nonce: string) => ({
    body: {
      name: visit.text(nonce),
      greeting: visit.text(),
      description: visit.text(),
      voice: { language: 'en-US' },
    },
  })
  const told = await visit.create('persona', 'create_persona', sent, (body) => body.data.persona_id, fields)
  if (told) visit.keep('persona', told.body.data.persona_id)
}

const read: Act = async (visit) => {
  const persona_id = visit.pick('persona')
  if (!persona_id) return create(visit)
  const told = await visit.send('get_persona', { params: { persona_id } })
  if (told.ok) visit.sees('persona', persona_id, fields, told.body.data, told)
  if (told.ok) visit.version('persona', persona_id, told.body.data)
}

const update: Act = async (visit) => {
  const persona_id = visit.pick('persona')
  if (!persona_id) return create(visit)
  const change = { greeting: visit.text() }
  const request = { params: { persona_id }, body: change, allow: [409] }
  await visit.change('persona', persona_id, change, 'update_persona', request, 'persona.updated')
}

const live: Act = async (visit) => {
  const persona_id = visit.take('persona')
  if (!persona_id) return create(visit)
  const move = (name: string, status: string) =>
    visit.change('persona', persona_id, { status }, name, { params: { persona_id } })
  await move('activate_persona', 'active')
  if (chance(0.5)) {
    await move('archive_persona', 'archived')
    await move('restore_persona', 'active')
  }
  visit.keep('persona', persona_id)
}

const list: Act = (visit) =>
  visit.send('list_personas', { query: chance(0.5) ? { status: 'active' } : { limit: 10 } })

export const personaActs: Acts = [
  [2, create],
  [2, read],
  [2, update],
  [1, live],
  [1, list],
]
