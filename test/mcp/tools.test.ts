import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { routesOfConsole } from '../support/console-pages.ts'
import { callTool } from '../support/tool-calls.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
})
afterAll(() => app.close())

test('tools accept the ids that search returns', async () => {
  await org.post('/contacts', { first_name: 'Aoife', last_name: 'Searchable' })
  const { id } = (await callTool(org, 'search', { query: 'Searchable' })).result.results[0]
  expect(id).toMatch(/^contact:/)
  const read = await callTool(org, 'get_record', { entity_type: 'contact', id })
  expect(read.result.record.first_name).toBe('Aoife')
  const saved = await callTool(org, 'save_contacts', { items: [{ contact_id: id, job_title: 'Chair' }] })
  expect(saved.result.items).toMatchObject([{ outcome: 'updated' }])
  const events = await callTool(org, 'list_events', { object_id: id })
  expect(events.result.events).toHaveLength(2)
  const deal = await callTool(org, 'save_deals', { items: [{ name: 'Hall', contact_ids: [id] }] })
  expect(deal.result.items).toMatchObject([{ outcome: 'created' }])
  const archived = await callTool(org, 'archive_records', { entity_type: 'contact', ids: [id] })
  expect(archived.isError, archived.text).toBe(false)
})

test('a misspelled field of a record is refused, and nothing is saved', async () => {
  const items = [{ first_name: 'Misspelled', emial: 'ada@misspelled.example' }]
  const refused = await callTool(org, 'save_contacts', { items })
  expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^items\.0: .*"emial"/)])
  expect(
    (await callTool(org, 'list_records', { entity_type: 'contact', q: 'Misspelled' })).result.total,
  ).toBe(0)
})

test('the links of search and fetch lead to pages of the console', async () => {
  const routes = routesOfConsole()
  await org.post('/contacts', { first_name: 'Linkable' })
  await org.post('/companies', { name: 'Linkable Ltd' })
  await org.post('/deals', { name: 'Linkable deal' })
  const { results } = (await callTool(org, 'search', { query: 'Linkable' })).result
  expect(results).toHaveLength(3)
  for (const { id, url } of results) {
    const [type, recordId] = id.split(':')
    const placeholder = { contact: 'PERSON', company: 'COMPANY', deal: 'DEAL' }[String(type)] ?? ''
    const path = new URL(url).pathname.replace(`/console/o/${org.orgId}`, '')
    expect(routes).toContain(path.replace(recordId, placeholder))
    expect((await callTool(org, 'fetch', { id })).result.url).toBe(url)
  }
})

test.each([
  ['search', {}, 'query: it is missing; send a text'],
  ['search', { query: 5 }, 'query: send a text'],
  ['save_contacts', {}, 'items: it is missing; send a list'],
  ['search', { query: '' }, 'query: send at least 1 character'],
  ['save_contacts', { items: [] }, 'items: send at least 1 item'],
  ['list_records', { entity_type: 'contact', limit: 51 }, 'limit: send at most 50'],
  ['list_calls', { status: 'rang' }, expect.stringMatching(/^status: Input should be 'dispatching'[^.]*$/)],
  ['push_signature', { mailbox_id: true }, 'mailbox_id: send a whole number or a text'],
  ['push_signature', { mailbox_id: 999_999 }, expect.stringContaining('object_not_found')],
  [
    'get_record',
    { kind: 'contact', id: 'x' },
    'entity_type: it is missing; send "contact" or "company" or "deal"\n' +
      'arguments: there is no "kind"; the schema of the tool lists the names',
  ],
])('%s with the arguments %j says what to send', async (name, args, text) => {
  expect(await callTool(org, name, args)).toMatchObject({ isError: true, text })
})

test('get_record returns the notes and the open tasks of a record, if the caller may read them', async () => {
  const { contact_id } = (await org.post('/contacts', { first_name: 'Grace' })).body.data
  const about = { entity_type: 'contact', record_id: contact_id }
  await org.post('/notes', { ...about, text: 'x'.repeat(2_000) })
  await org.post('/tasks', { ...about, title: 'Call back' })
  const { task_id } = (await org.post('/tasks', { ...about, title: 'Done' })).body.data
  await org.post(`/tasks/${task_id}/complete`)
  const args = { entity_type: 'contact', id: contact_id, include: ['notes', 'tasks'] }
  const { notes, tasks } = (await callTool(org, 'get_record', args)).result
  expect(notes).toMatchObject([{ text: 'x'.repeat(1_000), is_cut: true, record_id: contact_id }])
  expect(tasks).toMatchObject([{ title: 'Call back', completed_at: null }])
  const reader = await app.newKey(org.orgId, { permissions: ['contacts:read'] })
  const refused = await callTool(reader, 'get_record', args)
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('notes:read')])
})

test.each([undefined, 'proposed', 'applied', 'undone'])(
  'list_merges answers with the status %s',
  async (status) => {
    expect(await callTool(org, 'list_merges', status ? { status } : {})).toMatchObject({
      ...{ isError: false, result: { merges: [], total: 0 } },
    })
  },
)
