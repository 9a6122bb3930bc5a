import { chance } from '../dice.ts'
import type { Action, ActorClient, WeightedActions } from './action.ts'

/** A contact that no other action merges or erases. An erased one would take its notes and tasks along. */
async function subject(api: ActorClient): Promise<{ entity_type: string; record_id: string } | null> {
  const known = chance(0.8) ? api.pick('noted contact') : undefined
  if (known) return { entity_type: 'contact', record_id: known }
  const sent = (nonce: string) => ({
    body: { first_name: api.text(nonce), source: nonce, tags: [api.actor.marker] },
  })
  const answer = await api.create('contact', 'create_contact', sent, (body) => body.data.contact_id)
  if (!answer) return null
  const { contact_id } = answer.body.data
  api.keep('noted contact', contact_id)
  return { entity_type: 'contact', record_id: contact_id }
}

const write: Action = async (api) => {
  const about = await subject(api)
  if (!about) return
  const sent = (nonce: string) => ({ body: { ...about, text: api.text(nonce) } })
  const answer = await api.create('note', 'create_note', sent, (body) => body.data.note_id)
  if (answer) api.keep('note', answer.body.data.note_id)
}

const readNotes: Action = async (api) => {
  const note_id = api.pick('note')
  if (!note_id) return write(api)
  await api.send('get_note', { params: { note_id }, allow: [404] })
  const record_id = api.pick('noted contact')
  await api.send('list_notes', { query: record_id && chance(0.5) ? { record_id } : {} })
}

const readTimeline: Action = async (api) => {
  const contact_id = api.pick('noted contact')
  if (!contact_id) return write(api)
  await api.send('list_contact_activity', { params: { contact_id }, query: { limit: 10 } })
  await api.send('get_contact_touches', { params: { contact_id } })
  const company_id = api.pick('plain company')
  if (company_id) await api.send('list_company_activity', { params: { company_id }, allow: [404] })
}

const changeNote: Action = async (api) => {
  const note_id = api.take('note')
  if (!note_id) return write(api)
  if (chance(0.3))
    return api.change('note', note_id, { $there: 'no' }, 'delete_note', { params: { note_id }, allow: [404] })
  const { body } = await api.send('get_note', { params: { note_id } })
  const [nonce] = body.data.text.split(' ')
  await api.change('note', note_id, {}, 'update_note', {
    params: { note_id },
    body: { text: `${nonce} ${api.text()}` },
  })
  return api.keep('note', note_id)
}

const createTask: Action = async (api) => {
  const about = await subject(api)
  if (!about) return
  const sent = (nonce: string) => ({
    body: {
      ...about,
      title: api.text(nonce),
      text: api.text(),
      ...(chance(0.5) && { due_on: '2026-03-31' }),
    },
  })
  const answer = await api.create('task', 'create_task', sent, (body) => body.data.task_id, ['text'])
  if (answer) api.keep('task', answer.body.data.task_id)
}

const readTasks: Action = async (api) => {
  const task_id = api.pick('task')
  if (!task_id) return createTask(api)
  const answer = await api.send('get_task', { params: { task_id }, allow: [404] })
  if (answer.ok) api.sees('task', task_id, ['text'], answer.body.data, answer)
  const filter = chance(0.5) ? { assignee: 'none', due_before: '2026-04-01' } : { status: 'done' }
  await api.send('list_tasks', { query: filter })
}

const changeTask: Action = async (api) => {
  const task_id = api.take('task')
  if (!task_id) return createTask(api)
  const params = { task_id }
  if (chance(0.2))
    return api.change('task', task_id, { $there: 'no' }, 'delete_task', { params, allow: [404] })
  const text = api.text()
  await api.change('task', task_id, { text }, 'update_task', { params, body: { text } })
  const done = await api.change('task', task_id, {}, 'complete_task', { params }, 'task.completed')
  if (done.ok && chance(0.5)) {
    await api.change('task', task_id, {}, 'reopen_task', { params }, 'task.reopened')
    api.keep('task', task_id)
  }
}

export const noteActs: WeightedActions = [
  [3, write],
  [2, readNotes],
  [1, readTimeline],
  [1, changeNote],
  [3, createTask],
  [2, readTasks],
  [2, changeTask],
]
