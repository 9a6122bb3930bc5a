import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { merge, undo } from '../support/merges.ts'

let app: TestApp
let org: TestOrg
let contactId: string
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
  contactId = await newContact('Ada')
})
afterAll(() => app.close())

const newContact = async (first_name: string) =>
  (await org.post('/contacts', { first_name })).body.data.contact_id as string
const create = (fields: object = {}) =>
  org.post('/tasks', { entity_type: 'contact', record_id: contactId, title: 'Call', ...fields })
const titles = async (query = '', client: Pick<TestOrg, 'get'> = org) =>
  (await client.get(`/tasks?${query}`)).body.data.map((task: { title: string }) => task.title)
const typesOf = async (objectId: string) =>
  (await org.get(`/events?object_id=${objectId}`)).body.data.map(({ type }: { type: string }) => type)

describe('a task', () => {
  test('a task that PATCH should complete gets 422, which names the requests for that', async () => {
    const { task_id: id } = (await create()).body.data
    for (const body of [{ status: 'done' }, { completed_at: 1 }]) {
      const { detail } = (await org.patch(`/tasks/${id}`, body)).body
      expect(detail[0].ctx.expected).toContain('POST /tasks/{task_id}/complete')
    }
  })

  test('a task has a title, a text, a due day, an assignee and an author', async () => {
    const member = await newMember(app, org.orgId, 'member')
    const answer = await create({ text: '*soon*', due_on: '2026-03-31', assignee_id: member.memberId })
    expect([answer.status, answer.headers.get('etag')]).toEqual([201, '"1"'])
    const { task_id } = answer.body.data
    expect(answer.body.data).toMatchObject({
      ...{ entity_type: 'contact', record_id: contactId, record_name: 'Ada' },
      ...{ title: 'Call', text: '*soon*', due_on: '2026-03-31', completed_at: null, completed_by: null },
      assignee_id: member.memberId,
      assignee_name: expect.stringMatching(/^Person \d+$/),
      author: { kind: 'api_key', id: org.apiKeyId },
    })
    expect((await org.get(`/tasks/${task_id}`)).body).toEqual(answer.body)
    const cleared = await org.patch(`/tasks/${task_id}`, { text: '', due_on: null, assignee_id: null })
    expect(cleared.body.data).toMatchObject({
      ...{ title: 'Call', text: null, due_on: null, assignee_id: null, assignee_name: null, version: 2 },
    })
    const [updated] = (await org.get(`/events?object_id=${task_id}`)).body.data
    expect(updated).toMatchObject({ type: 'task.updated', changed: ['text', 'due_on', 'assignee_id'] })
  })

  test('a task is completed and reopened once, even if the request is repeated', async () => {
    const member = await newMember(app, org.orgId, 'member')
    const { task_id } = (await create()).body.data
    const done = await member.post(`/tasks/${task_id}/complete`)
    expect(done.body.data).toMatchObject({
      ...{ version: 2, completed_at: expect.any(Number) },
      completed_by: { kind: 'member', id: member.memberId },
    })
    expect((await org.post(`/tasks/${task_id}/complete`)).body.data).toEqual(done.body.data)
    expect((await org.patch(`/tasks/${task_id}`, { title: 'Called' })).body.data.version).toBe(3)
    const open = await org.post(`/tasks/${task_id}/reopen`)
    expect(open.body.data).toMatchObject({ version: 4, completed_at: null, completed_by: null })
    expect((await org.post(`/tasks/${task_id}/reopen`)).body.data.version).toBe(4)
    const headers = { 'if-match': '"1"' }
    expect((await org.post(`/tasks/${task_id}/complete`, undefined, { headers })).status).toBe(409)
    expect((await org.delete(`/tasks/${task_id}`)).status).toBe(204)
    expect(await typesOf(task_id)).toEqual([
      ...['task.deleted', 'task.reopened', 'task.updated', 'task.completed', 'task.created'],
    ])
  })

  test.each<[string, object, number, string]>([
    ['no title', { title: ' ' }, 422, 'at least 1'],
    ['a day that does not exist', { due_on: '2026-02-30' }, 422, 'YYYY-MM-DD'],
    ['an unknown record', { record_id: crypto.randomUUID() }, 404, 'record_id: no contact'],
    ['an unknown member', { assignee_id: crypto.randomUUID() }, 404, 'assignee_id: no member'],
  ])('a task with %s is refused', async (_case, fields, status, words) => {
    const answer = await create(fields)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)])
  })

  test('a task cannot be assigned to a member of another organization', async () => {
    const stranger = await newMember(app, (await app.newOrg()).orgId)
    const { task_id } = (await create()).body.data
    const answer = await org.patch(`/tasks/${task_id}`, { assignee_id: stranger.memberId })
    expect([answer.status, answer.body.code]).toEqual([404, 'reference_not_found'])
  })

  test('members can change a task, and viewers and keys without tasks:write cannot', async () => {
    const viewer = await newMember(app, org.orgId, 'viewer')
    const { task_id } = (await create()).body.data
    const key = await app.newKey(org.orgId, { permissions: ['tasks:read', 'contacts:write'] })
    for (const client of [viewer, key]) {
      expect((await client.get(`/tasks/${task_id}`)).status).toBe(200)
      expect((await client.post(`/tasks/${task_id}/complete`)).status).toBe(403)
    }
  })

  test('a task cannot be read or changed by another organization', async () => {
    const { task_id } = (await create()).body.data
    const other = await app.newOrg()
    const path = `/tasks/${task_id}`
    const statuses = [
      await other.get(path),
      await other.patch(path, { title: 'x' }),
      await other.post(`${path}/complete`),
      await other.delete(path),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404, 404])
    expect(await titles('', other)).toEqual([])
  })
})

describe('the list', () => {
  let ada: SignedIn
  beforeEach(async () => {
    ada = await newMember(app, org.orgId, 'member')
    await create({ title: 'no day', assignee_id: ada.memberId })
    await create({ title: 'late', due_on: '2026-02-01' })
    await create({ title: 'early', due_on: '2026-01-01', assignee_id: ada.memberId })
    await create({ title: 'same day', due_on: '2026-01-01' })
  })

  test('tasks are listed in the order of due days, with tasks without a day last, on any page', async () => {
    const all = ['early', 'same day', 'late', 'no day']
    expect(await titles()).toEqual(all)
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Answer = await org.get(`/tasks?limit=1${cursor && `&cursor=${cursor}`}`)
      const { data, pagination } = body
      expect(pagination.total).toBe(4)
      paged.push(...data.map((task: { title: string }) => task.title))
      cursor = pagination.next_cursor
    }
    expect(paged).toEqual(all)
  })

  test.each<[string, string[]]>([
    ['assignee=me', ['early', 'no day']],
    ['assignee=none', ['same day', 'late']],
    ['due_before=2026-02-01', ['early', 'same day']],
    ['assignee=me&due_before=2026-01-01', []],
    ['status=done', []],
  ])('the list of tasks with %s has the expected tasks', async (query, expected) => {
    expect(await titles(query, ada)).toEqual(expected)
  })

  test('tasks can be listed by member, by record, and by status', async () => {
    expect(await titles(`assignee=${ada.memberId}`)).toEqual(['early', 'no day'])
    const other = await newContact('Grace')
    await create({ title: 'other', record_id: other })
    expect(await titles(`record_id=${other}`)).toEqual(['other'])
    expect(await titles(`record_id=${contactId}&assignee=none`)).toEqual(['same day', 'late'])
    const open = (await org.get('/tasks')).body.data
    for (const title of ['late', 'early']) {
      const { task_id } = open.find((task: { title: string }) => task.title === title)
      await org.post(`/tasks/${task_id}/complete`)
    }
    expect(await titles('status=done')).toEqual(['early', 'late'])
    expect(await titles('status=done&limit=1')).toEqual(['early'])
    expect(await titles(`status=done&assignee=${ada.memberId}`)).toEqual(['early'])
    expect(await titles()).toEqual(['same day', 'no day', 'other'])
  })

  test('the filter assignee=me of an API key is refused, and so is an unknown assignee', async () => {
    for (const [assignee, words] of [
      ['me', 'an API key has no tasks'],
      ['Ada', 'the id of a member, me or none'],
    ]) {
      const answer = await org.get(`/tasks?assignee=${assignee}`)
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(words!)])
    }
  })
})

describe('tasks of merged records', () => {
  test('tasks of merged records are listed together, and an undo gives each record its own tasks', async () => {
    const other = await newContact('Augusta')
    await create({ title: 'of Ada', due_on: '2026-01-01' })
    await create({ title: 'of Augusta', record_id: other, due_on: '2026-01-02' })
    const [merged] = await merge(org, 'contact', contactId, other)
    await create({ title: 'after', record_id: other })
    for (const id of [contactId, other])
      expect(await titles(`record_id=${id}`)).toEqual(['of Ada', 'of Augusta', 'after'])
    await undo(org, merged!.merge_id)
    expect(await titles(`record_id=${contactId}`)).toEqual(['of Ada'])
    expect(await titles(`record_id=${other}`)).toEqual(['of Augusta', 'after'])
    expect((await org.post(`/contacts/${other}/erase`)).status).toBe(200)
    expect(await titles()).toEqual(['of Ada'])
  })
})

describe('a member who leaves', () => {
  test('a member who leaves has no open tasks any more, and their name stays on the tasks that they created or completed', async () => {
    const [owner, ada] = [await newMember(app, org.orgId), await newMember(app, org.orgId, 'member')]
    const mine = { assignee_id: ada.memberId }
    const open = (await create({ title: 'open', ...mine })).body.data.task_id
    const body = { entity_type: 'contact', record_id: contactId, title: 'done', ...mine }
    const done = (await ada.post('/tasks', body)).body.data.task_id
    await ada.post(`/tasks/${done}/complete`)
    const { text } = (await ada.post('/notes', { entity_type: 'contact', record_id: contactId, text: 'Hi' }))
      .body.data
    expect((await owner.delete(`/members/${ada.memberId}`)).status).toBe(204)
    expect((await org.get(`/tasks/${open}`)).body.data).toMatchObject({ assignee_id: null, version: 2 })
    expect(await typesOf(open)).toEqual(['task.updated', 'task.created'])
    expect((await org.get(`/tasks/${done}`)).body.data).toMatchObject({
      ...{ assignee_id: null, completed_by: { id: ada.memberId, name: expect.any(String) } },
      author: { kind: 'member', id: ada.memberId, name: expect.any(String) },
    })
    expect((await org.get('/notes')).body.data).toMatchObject([{ text, author: { id: ada.memberId } }])
    expect(await titles('assignee=none')).toEqual(['open'])
  })
})
