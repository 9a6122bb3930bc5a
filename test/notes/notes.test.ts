import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { dumpTables } from '../support/direct-sql.ts'
import { newMember } from '../support/members.ts'
import { merge, undo } from '../support/merges.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
})
afterAll(() => app.close())

const newContact = async (first_name: string) =>
  (await org.post('/contacts', { first_name })).body.data.contact_id as string
const write = (record_id: string, text: string, entity_type = 'contact') =>
  org.post('/notes', { entity_type, record_id, text })
const textsOf = async (recordId: string) =>
  (await org.get(`/notes?record_id=${recordId}`)).body.data.map((note: { text: string }) => note.text)
const eventsOf = async (objectId: string) =>
  (await org.get(`/events?object_id=${objectId}`)).body.data.toReversed()

describe('a note', () => {
  test('a note is about a contact, a company or a deal, and shows its author and the name of the record', async () => {
    const contactId = await newContact('Ada')
    const { company_id } = (await org.post('/companies', { domain: 'acme.example' })).body.data
    const { deal_id } = (await org.post('/deals', { name: 'Website' })).body.data
    const answer = await write(contactId, 'Likes *tea*')
    expect([answer.status, answer.headers.get('etag')]).toEqual([201, '"1"'])
    const { note_id } = answer.body.data
    expect(answer.headers.get('location')).toBe(`/api/v1/notes/${note_id}`)
    expect(answer.body.data).toMatchObject({
      ...{
        entity_type: 'contact',
        record_id: contactId,
        record_name: 'Ada',
        text: 'Likes *tea*',
        version: 1,
      },
      author: { kind: 'api_key', id: org.apiKeyId, name: 'Test key' },
    })
    expect((await org.get(`/notes/${note_id}`)).body).toEqual(answer.body)
    expect((await write(company_id, 'Big', 'company')).body.data.record_name).toBe('acme.example')
    expect((await write(deal_id, 'Urgent', 'deal')).body.data.record_name).toBe('Website')
    const all = (await org.get('/notes')).body
    expect(all.data.map((note: { text: string }) => note.text)).toEqual(['Urgent', 'Big', 'Likes *tea*'])
    expect(all.pagination.total).toBe(3)
  })

  test('a note gets a new version with a new text, and keeps its author', async () => {
    const member = await newMember(app, org.orgId, 'member')
    const { note_id } = (await write(await newContact('Ada'), 'Draft')).body.data
    const changed = await member.patch(`/notes/${note_id}`, { text: 'Final' })
    expect(changed.body.data).toMatchObject({ text: 'Final', version: 2, author: { kind: 'api_key' } })
    expect((await member.patch(`/notes/${note_id}`, { text: 'Final' })).body.data.version).toBe(2)
    const headers = { 'if-match': '"1"' }
    expect((await org.patch(`/notes/${note_id}`, { text: 'Other' }, { headers })).status).toBe(409)
    expect((await org.delete(`/notes/${note_id}`, { headers })).status).toBe(409)
    expect((await org.delete(`/notes/${note_id}`)).status).toBe(204)
    expect((await org.get(`/notes/${note_id}`)).status).toBe(404)
    const events = await eventsOf(note_id)
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      ...['note.created', 'note.updated', 'note.deleted'],
    ])
    expect(events[1]).toMatchObject({
      ...{ changed: ['text'], actor: { kind: 'member' } },
      data: { entity_type: 'contact', record_id: expect.any(String) },
    })
  })

  test.each<[string, object, number, string]>([
    ['an empty text', { text: '' }, 422, 'at least 1'],
    ['a text of 65,537 characters', { text: 'x'.repeat(65_537) }, 422, 'at most 65536'],
    ['another record type', { entity_type: 'persona', text: 'x' }, 422, "'contact', 'company' or 'deal'"],
    ['the id of a record of another type', { entity_type: 'deal', text: 'x' }, 404, 'record_id: no deal'],
  ])('a note with %s is refused', async (_case, fields, status, words) => {
    const body = { entity_type: 'contact', record_id: await newContact('Ada'), ...fields }
    const answer = await org.post('/notes', body)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)])
  })

  test('reading notes needs notes:read, and writing them notes:write', async () => {
    const contactId = await newContact('Ada')
    const reader = await app.newKey(org.orgId, { permissions: ['notes:read'] })
    const other = await app.newKey(org.orgId, { permissions: ['contacts:write'] })
    const body = { entity_type: 'contact', record_id: contactId, text: 'x' }
    expect([(await reader.get('/notes')).status, (await reader.post('/notes', body)).status]).toEqual([
      200, 403,
    ])
    expect([(await other.get('/notes')).status, (await other.post('/notes', body)).status]).toEqual([
      403, 403,
    ])
  })

  test('a note cannot be read or changed by another organization', async () => {
    const contactId = await newContact('Ada')
    const { note_id } = (await write(contactId, 'Secret')).body.data
    const other = await app.newOrg()
    const path = `/notes/${note_id}`
    const statuses = [
      await other.get(path),
      await other.patch(path, { text: 'x' }),
      await other.delete(path),
      await other.post('/notes', { entity_type: 'contact', record_id: contactId, text: 'x' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404, 404])
    expect((await other.get(`/notes?record_id=${contactId}`)).body.data).toEqual([])
    expect((await other.get('/notes')).body.pagination.total).toBe(0)
  })
})

describe('notes of merged records', () => {
  test('notes of merged records are listed together, and an undo gives each record its own notes', async () => {
    const [ada, augusta, third] = [
      await newContact('Ada'),
      await newContact('Augusta'),
      await newContact('A.'),
    ]
    await write(ada, 'of Ada')
    await write(augusta, 'of Augusta')
    const [first] = await merge(org, 'contact', ada, augusta)
    await write(augusta, 'written with the old id')
    await write(ada, 'written with the id of the survivor')
    const all = ['written with the id of the survivor', 'written with the old id', 'of Augusta', 'of Ada']
    expect(await textsOf(ada)).toEqual(all)
    expect(await textsOf(augusta)).toEqual(all)
    const [second] = await merge(org, 'contact', third, ada)
    expect(await textsOf(third)).toEqual(all)
    const shown = (await org.get(`/notes?record_id=${augusta}`)).body.data
    expect(new Set(shown.map((note: { record_id: string }) => note.record_id))).toEqual(new Set([third]))
    await undo(org, first!.merge_id)
    expect(await textsOf(augusta)).toEqual(['written with the old id', 'of Augusta'])
    expect(await textsOf(third)).toEqual(['written with the id of the survivor', 'of Ada'])
    await undo(org, second!.merge_id)
    expect(await textsOf(third)).toEqual([])
    expect(await textsOf(ada)).toEqual(['written with the id of the survivor', 'of Ada'])
  })
})

describe('erasure', () => {
  test.each(['contact', 'company', 'deal'] as const)(
    'erasing a merged %s removes the notes of all of its records, and the stored answers about them',
    async (entity) => {
      const path = { contact: '/contacts', company: '/companies', deal: '/deals' }[entity]
      const fields = entity === 'contact' ? { first_name: 'Ada' } : { name: 'Acme' }
      const make = async () => (await org.post(path, fields)).body.data[`${entity}_id`] as string
      const [one, other, kept] = [await make(), await make(), await make()]
      const key = { headers: { 'idempotency-key': `key of ${entity}` } }
      const body = { entity_type: entity, record_id: other, text: 'planted-note' }
      const { note_id } = (await org.post('/notes', body, key)).body.data
      await write(one, 'planted-note', entity)
      await write(kept, 'stays', entity)
      await merge(org, entity, one, other)
      expect(await dumpTables(app)).toContain('planted-note')
      expect((await org.post(`${path}/${one}/erase`)).status).toBe(200)
      expect(await dumpTables(app)).not.toContain('planted-note')
      expect((await org.get('/notes')).body.data).toMatchObject([{ text: 'stays', record_id: kept }])
      expect((await org.post('/notes', body, key)).body.code).toBe('idempotency_answer_erased')
      const [, deleted] = await eventsOf(note_id)
      expect(deleted).toMatchObject({ type: 'note.deleted', data: { entity_type: entity } })
      expect((await write(one, 'late', entity)).status).toBe(404)
    },
  )

  test('an archived record keeps its notes, and can get more notes', async () => {
    const contactId = await newContact('Ada')
    await write(contactId, 'before')
    await org.delete(`/contacts/${contactId}`)
    expect((await write(contactId, 'after')).status).toBe(201)
    expect(await textsOf(contactId)).toEqual(['after', 'before'])
  })
})

// This test comes last: tests of erasure dump the whole database.
test('a note of 65,536 characters is stored, and a page of long notes ends after 4 MiB', async () => {
  const contactId = await newContact('Ada')
  for (let count = 0; count < 40; count++)
    expect((await write(contactId, 'é'.repeat(65_536))).status).toBe(201)
  const lengths: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `record_id=${contactId}&limit=100${cursor && `&cursor=${cursor}`}`
    const { body }: Answer = await org.get(`/notes?${query}`)
    const { data, pagination } = body
    expect(pagination.total).toBe(40)
    lengths.push(data.length)
    cursor = pagination.next_cursor
  }
  expect(lengths.length).toBeGreaterThan(1)
  expect(lengths.reduce((sum, length) => sum + length)).toBe(40)
})
