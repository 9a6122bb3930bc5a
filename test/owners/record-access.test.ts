import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StoredRecordAccess } from '../../src/auth/roles.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember, type SignedIn } from '../support/members.ts'

let app: TestApp
let org: TestOrg
let owner: SignedIn
let own: SignedIn
let mate: SignedIn
let stranger: SignedIn
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  org = await app.newOrg()
  owner = await newMember(app, org.orgId, 'owner')
  ;[own, mate, stranger] = [await member('own'), await member('team'), await member('all')]
})

async function member(access: StoredRecordAccess): Promise<SignedIn> {
  const made = await newMember(app, org.orgId, 'member')
  await runAsOwner(app.databaseUrl, 'update membership set record_access = $1 where member_id = $2', [
    access,
    made.memberId,
  ])
  return made
}

const confirm = ({ memberId }: SignedIn) =>
  runAsOwner(app.databaseUrl, 'update session set confirmed_at = now() where member_id = $1', [memberId])

const of = ({ memberId }: SignedIn) => ({ owner_id: memberId })
type Kind = 'contacts' | 'companies' | 'deals'
const ids = { contacts: 'contact_id', companies: 'company_id', deals: 'deal_id' }
const names = { contacts: { first_name: 'Ada' }, companies: { name: 'Acme' }, deals: { name: 'Website' } }
async function make(kind: Kind, fields: object, by: { post: TestOrg['post'] } = org): Promise<string> {
  const answer = await by.post(`/${kind}`, { ...names[kind], ...fields })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data[ids[kind]]
}
const listed = async (by: SignedIn, path: string) => {
  const { status, body, text } = await by.get(path)
  expect(status, text).toBe(200)
  return body
}

describe.each<Kind>(['contacts', 'companies', 'deals'])('%s', (kind) => {
  test('a member sees own records alone, in lists, totals, searches and exports', async () => {
    const seen = await make(kind, of(own))
    for (const fields of [of(stranger), { owner_id: null }]) await make(kind, fields)
    for (const path of [
      `/${kind}`,
      `/${kind}?q=${Object.values(names[kind])[0]}`,
      `/${kind}?sort=created_at`,
    ]) {
      const { data, pagination } = await listed(own, path)
      expect([data.map((one: Record<string, string>) => one[ids[kind]]), pagination.total]).toEqual([
        [seen],
        1,
      ])
    }
    expect((await own.get(`/${kind}/export`)).text.trim().split('\n')).toHaveLength(2)
    const read = await own.post(`/${kind}/batch/read`, { ids: [seen] })
    expect(read.text).toContain(seen)
    expect((await org.get(`/${kind}`)).body.pagination.total).toBe(3)
  })

  test('a record that a limited member creates belongs to the member, who cannot give it away', async () => {
    const id = await make(kind, {}, own)
    const path = `/${kind}/${id}`
    expect((await own.get(path)).body.data).toMatchObject({ ...of(own), owner_email: own.email })
    for (const fields of [of(stranger), { owner_id: null }, { owner_email: stranger.email }]) {
      const given = await own.patch(path, fields)
      expect([given.status, given.body.code]).toEqual([403, 'record_access_limited'])
      const made = await own.post(`/${kind}`, { ...names[kind], ...of(stranger) })
      expect([made.status, made.body.code]).toEqual([403, 'record_access_limited'])
    }
    const changed = await own.patch(path, kind === 'companies' ? { industry: 'Tea' } : { tags: ['a'] })
    expect(changed.status, changed.text).toBe(200)
    expect((await own.delete(path)).status).toBe(200)
    expect((await own.post(`${path}/restore`)).status).toBe(200)
    await org.patch(path, of(stranger))
    expect((await own.get(path)).status).toBe(404)
    expect((await own.patch(path, { custom: { a: 1 } })).status).toBe(404)
  })
})

test('a member whose access is the team sees records of members of the same teams, from the next request on', async () => {
  const [mine, theirs] = [await make('deals', of(mate)), await make('deals', of(own))]
  expect((await listed(mate, '/deals')).pagination.total).toBe(1)
  await confirm(owner)
  const members = { member_ids: [own.memberId, mate.memberId] }
  const team = await owner.post('/teams', { name: 'North', ...members })
  expect([team.status, team.body.data]).toMatchObject([201, { name: 'North', version: 1 }])
  expect((await listed(mate, '/deals')).pagination.total).toBe(2)
  expect((await mate.get(`/deals/${theirs}`)).status).toBe(200)
  expect((await mate.patch(`/deals/${mine}`, of(own))).status).toBe(200)
  expect((await listed(own, '/deals')).pagination.total).toBe(2)
  expect((await own.patch(`/deals/${mine}`, of(mate))).status).toBe(403)

  const path = `/teams/${team.body.data.team_id}`
  expect((await owner.post('/teams', { name: 'north' })).status).toBe(422)
  expect((await owner.patch(path, { member_ids: [team.body.data.team_id] })).status).toBe(422)
  expect((await own.patch(path, { name: 'South' })).status).toBe(403)
  expect((await listed(own, '/teams')).data).toMatchObject([{ name: 'North' }])
  const left = await owner.patch(path, { name: 'South', member_ids: [own.memberId] })
  expect(left.body.data).toMatchObject({ name: 'South', member_ids: [own.memberId], version: 2 })
  expect((await listed(mate, '/deals')).pagination.total).toBe(0)
  expect((await owner.delete(path)).status).toBe(204)
  expect((await listed(owner, '/teams')).data).toEqual([])
  const { data } = await listed(owner, `/events?object_id=${mate.memberId}`)
  expect(data).toMatchObject([{ changed: ['teams'] }, { changed: ['teams'] }])
})

test('a limited member sees only the notes, tasks and events of the records that the member sees', async () => {
  const [seen, hidden] = [await make('contacts', of(own)), await make('contacts', of(stranger))]
  for (const record_id of [seen, hidden]) {
    await org.post('/notes', { entity_type: 'contact', record_id, text: 'Tea' })
    await org.post('/tasks', { entity_type: 'contact', record_id, title: 'Call', assignee_id: own.memberId })
  }
  for (const path of ['/notes', '/tasks']) {
    const { data, pagination } = await listed(own, path)
    expect([data.map(({ record_id }: { record_id: string }) => record_id), pagination.total]).toEqual([
      [seen],
      1,
    ])
    expect((await listed(own, `${path}?record_id=${hidden}`)).data).toEqual([])
  }
  const note = await own.post('/notes', { entity_type: 'contact', record_id: hidden, text: 'x' })
  expect([note.status, note.body.code]).toEqual([404, 'reference_not_found'])
  expect((await own.post('/notes', { entity_type: 'contact', record_id: seen, text: 'x' })).status).toBe(201)
  expect((await listed(own, `/events?object_id=${seen}`)).pagination.total).toBe(1)
  expect((await listed(own, `/events?object_id=${hidden}`)).pagination.total).toBe(0)
  expect((await own.get('/events')).status).toBe(403)
})

test('references to hidden records stay, and a member cannot add one', async () => {
  const [company, contact] = [await make('companies', of(stranger)), await make('contacts', of(own))]
  const deal = await make('deals', { ...of(own), company_id: company })
  const named = await own.patch(`/deals/${deal}`, { contact_ids: [contact] })
  expect([named.status, named.body.data?.company_id]).toEqual([200, company])
  const batch = await own.post('/deals/batch', {
    items: [
      { deal_id: deal, contact_ids: [] },
      { name: 'Other', company_id: company },
    ],
  })
  const items = batch.body.data ?? batch.body
  expect(JSON.stringify(items)).toContain('reference_not_found')
  expect((await org.get(`/deals/${deal}`)).body.data).toMatchObject({ company_id: company, contact_ids: [] })
})

test('an upsert that matches a hidden record gets 409, which reveals nothing about the record', async () => {
  const hidden = await make('contacts', { ...of(stranger), email: 'ada@acme.example' })
  const answer = await own.post('/contacts/upsert', {
    match_on: 'email',
    email: 'ada@acme.example',
    tags: ['x'],
  })
  expect([answer.status, answer.body.code, answer.text.includes(hidden)]).toEqual([
    409,
    'record_hidden',
    false,
  ])
  const batch = await own.post('/contacts/batch', {
    items: [
      { match_on: 'email', email: 'ada@acme.example' },
      { match_on: 'email', email: 'new@acme.example' },
    ],
  })
  expect([batch.text.includes('record_hidden'), batch.text.includes(hidden)]).toEqual([true, false])
  expect((await listed(own, '/contacts')).data).toMatchObject([{ email: 'new@acme.example', ...of(own) }])
  expect((await org.get(`/contacts/${hidden}`)).body.data.tags).toEqual([])
})

test('a contact gets the hidden company of its domain, and a new company belongs to the member', async () => {
  const company = await make('companies', { ...of(stranger), domain: 'acme.example' })
  const linked = await own.post('/contacts', { first_name: 'A', company_domain: 'acme.example' })
  expect(linked.body.data?.company_id, linked.text).toBe(company)
  expect((await own.get(`/companies/${company}`)).status).toBe(404)
  const made = await own.post('/contacts', { first_name: 'B', company_domain: 'new.example' })
  const { data } = (await own.get(`/companies/${made.body.data.company_id}`)).body
  expect(data).toMatchObject({ domain: 'new.example', ...of(own) })
})

test('a unique value of a hidden record is refused without its id', async () => {
  const field = { entity: 'contact', key: 'badge', type: 'text', filterable: true, unique: true }
  const defined = await org.post('/fields', field)
  expect(defined.status, defined.text).toBe(201)
  const hidden = await make('contacts', { ...of(stranger), custom: { badge: '7' } })
  const answer = await own.post('/contacts', { first_name: 'B', custom: { badge: '7' } })
  expect([answer.status, answer.body.code, answer.text.includes(hidden)]).toEqual([409, 'value_taken', false])
})

test('a merge needs both records, moves references that the member does not see, and can be undone only if the member would see both records', async () => {
  const [a, b, hidden] = [
    await make('contacts', of(own)),
    await make('contacts', { ...of(own), last_name: 'Lovelace' }),
    await make('contacts', of(stranger)),
  ]
  const deal = await make('deals', { ...of(stranger), contact_ids: [b] })
  const merge = (loser: string) =>
    own.post('/duplicates/merge', { entity_type: 'contact', survivor_id: a, loser_ids: [loser] })
  const refused = await merge(hidden)
  expect([refused.status, refused.body.code]).toEqual([404, 'reference_not_found'])
  const merged = await merge(b)
  expect([merged.status, merged.body.data?.record.last_name]).toEqual([200, 'Lovelace'])
  expect((await org.get(`/deals/${deal}`)).body.data.contact_ids).toEqual([a])
  expect((await own.get(`/contacts/${b}`)).body.data.contact_id).toBe(a)
  const mergeId = merged.body.data.merges[0].merge_id
  const note = await own.post('/notes', { entity_type: 'contact', record_id: b, text: 'x' })
  expect(note.status).toBe(201)
  expect((await own.patch(`/contacts/${b}`, { job_title: 'Countess' })).status).toBe(200)
  expect((await own.post(`/duplicates/undo-merge/${mergeId}`, {})).status).toBe(200)
  expect((await own.post(`/duplicates/redo-merge/${mergeId}`)).status).toBe(200)
  expect((await listed(own, '/duplicates/recent-merges')).data).toMatchObject([{ children_moved: null }])
  const dryUndo = await own.post(`/duplicates/undo-merge/${mergeId}`, { dry_run: true })
  expect(dryUndo.body.data).toMatchObject({ returned_children: null, kept_children: null })
  expect((await listed(owner, '/duplicates/recent-merges')).data[0].children_moved).toBe(1)
  expect((await listed(mate, '/duplicates/recent-merges')).pagination.total).toBe(0)

  const other = (
    await org.post('/duplicates/merge', { entity_type: 'contact', survivor_id: a, loser_ids: [hidden] })
  ).body.data.merges[0].merge_id
  expect((await own.get(`/contacts/${hidden}`)).body.data.contact_id).toBe(a)
  const undo = await own.post(`/duplicates/undo-merge/${other}`, {})
  expect([undo.status, undo.body.code]).toEqual([403, 'record_access_limited'])
  expect((await org.post(`/duplicates/undo-merge/${other}`, {})).status).toBe(200)
  expect((await own.get(`/contacts/${hidden}`)).status).toBe(404)
})

test('the candidates for a duplicate are only records that the member sees', async () => {
  const twin = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@acme.example' }
  const [seen, hidden] = [
    await make('contacts', { ...twin, ...of(own) }),
    await make('contacts', { ...twin, ...of(stranger) }),
  ]
  const { data, pagination } = await listed(
    own,
    `/duplicates/candidates?entity_type=contact&record_id=${seen}`,
  )
  expect([data, pagination.total]).toEqual([[], 0])
  expect((await own.get(`/duplicates/candidates?entity_type=contact&record_id=${hidden}`)).status).toBe(404)
})

test('the summary of deals counts the deals that the member sees', async () => {
  await make('deals', { ...of(own), amount_cents: 100, currency: 'EUR' })
  await make('deals', { ...of(stranger), amount_cents: 900, currency: 'EUR' })
  const won = await make('deals', { ...of(own), amount_cents: 50, currency: 'EUR' })
  expect((await org.post(`/deals/${won}/close`, { status: 'won' })).status).toBe(200)
  const { data } = await listed(own, '/deals/summary')
  expect(data.open.flatMap(({ values }: { values: unknown[] }) => values)).toEqual([
    { currency: 'EUR', deals: 1, amount_cents: '100' },
  ])
  expect(data.months.at(-1).won).toEqual([{ currency: 'EUR', deals: 1, amount_cents: '50' }])
})

test('a segment lists the records that the member sees, and does not count all', async () => {
  const segment = (await org.post('/segments', { entity: 'contact', name: 'All' })).body.data.segment_id
  const seen = await make('contacts', of(own))
  await make('contacts', of(stranger))
  const { data } = await listed(own, `/contacts?segment_id=${segment}`)
  expect(data.map(({ contact_id }: { contact_id: string }) => contact_id)).toEqual([seen])
  expect((await listed(own, `/segments/${segment}`)).data).toMatchObject({
    count: null,
    count_state: 'limited',
  })
})

test('an import of a limited member creates records of the member, and refuses rows that match hidden records', async () => {
  const hidden = await make('contacts', { ...of(stranger), email: 'ada@acme.example' })
  const csv = 'email,owner_email\nada@acme.example,\nnew@acme.example,\nother@acme.example,'
  const report = await importCsv(own as never, `${csv}${stranger.email}\n`, { query: { match_on: 'email' } })
  expect(report).toMatchObject({ status: 'succeeded', counts: { created: 1, refused: 2 } })
  expect((await listed(own, '/contacts')).data).toMatchObject([{ email: 'new@acme.example', ...of(own) }])
  const rows = await own.get(`/imports/${report.import_id}/rows`)
  expect([rows.status, rows.text.includes(hidden)]).toEqual([200, false])
  expect((await own.get('/imports')).body.pagination.total).toBe(1)
  expect((await mate.get(`/imports/${report.import_id}`)).status).toBe(404)
})

test('an owner limits a member, and the session says so; owners and admins reach all records', async () => {
  await confirm(owner)
  await make('contacts', { owner_id: null })
  expect((await listed(stranger, '/contacts')).pagination.total).toBe(1)
  const path = `/members/${stranger.memberId}`
  const limited = await owner.patch(path, { record_access: 'own' })
  expect([limited.status, limited.body.data?.record_access]).toEqual([200, 'own'])
  expect((await listed(stranger, '/contacts')).pagination.total).toBe(0)
  const { memberships } = (await stranger.get('/session')).body.data
  expect(memberships[0].record_access).toBe('own')
  expect(memberships[0].permissions).not.toContain('crm:write')
  expect((await owner.patch(path, { role: 'admin' })).body.data).toMatchObject({ record_access: 'all' })
  expect((await owner.patch(path, { record_access: 'team' })).status).toBe(422)
  expect((await listed(stranger, '/contacts')).pagination.total).toBe(1)
})
