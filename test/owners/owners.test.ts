import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

let app: TestApp
let org: TestOrg
let sam: SignedIn
let kim: SignedIn
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
  sam = await newMember(app, org.orgId, 'owner')
  kim = await newMember(app, org.orgId, 'member')
})
afterAll(() => app.close())

const named = { contacts: { first_name: 'Ada' }, companies: { name: 'Acme' }, deals: { name: 'Website' } }
type Plural = keyof typeof named
const idOf = { contacts: 'contact_id', companies: 'company_id', deals: 'deal_id' }
const create = async (plural: Plural, fields: object = {}) =>
  (await org.post(`/${plural}`, { ...named[plural], ...fields })).body.data
const ownerOf = ({ owner_id, owner_email }: { owner_id: unknown; owner_email: unknown }) => [
  owner_id,
  owner_email,
]
const samOwns = () => [sam.memberId, sam.email]
const nobody = [null, null]

test('GET /owners lists the members of the organization by name, and nobody else', async () => {
  await newMember(app, (await app.newOrg()).orgId)
  const { status, body } = await org.get('/owners')
  const expected = [sam, kim].map((member) => ({
    owner_id: member.memberId,
    name: expect.stringMatching(/^Person \d+$/),
    email: member.email,
  }))
  expect([status, body.data]).toEqual([200, expect.arrayContaining(expected)])
  expect(body.data).toHaveLength(2)
})

describe.each<Plural>(['contacts', 'companies', 'deals'])('%s', (plural) => {
  const at = (record: Record<string, string>) => `/${plural}/${record[idOf[plural]]}`

  test('a record gets an owner by id or by address, and the answer shows both', async () => {
    const byId = await create(plural, { owner_id: sam.memberId })
    expect(ownerOf(byId)).toEqual(samOwns())
    const byEmail = await create(plural, { owner_email: sam.email.toUpperCase() })
    expect(ownerOf(byEmail)).toEqual([sam.memberId, sam.email.toUpperCase()])
    const moved = await org.patch(at(byId), { owner_email: kim.email })
    expect(ownerOf(moved.body.data)).toEqual([kim.memberId, kim.email])
    const both = await org.patch(at(byId), { owner_id: sam.memberId, owner_email: sam.email })
    expect(ownerOf(both.body.data)).toEqual(samOwns())
    const { data } = (await org.get(`/events?object_id=${byId[idOf[plural]]}`)).body
    const changes = data.map((event: { changed: string[] | null }) => event.changed).filter(Boolean)
    expect(changes).toContainEqual(expect.arrayContaining(['owner_id', 'owner_email']))
    for (const cleared of [{ owner_id: null }, { owner_email: null }]) {
      await org.patch(at(byId), { owner_id: sam.memberId })
      expect(ownerOf((await org.patch(at(byId), cleared)).body.data)).toEqual(nobody)
    }
  })

  test('a record refuses an owner of another organization, and two different owners', async () => {
    const stranger = await newMember(app, (await app.newOrg()).orgId)
    const refused = async (fields: object) => {
      const { status, body } = await org.post(`/${plural}`, { ...named[plural], ...fields })
      return [status, body.detail?.[0].loc.at(-1), body.detail?.[0].msg]
    }
    const unknown = await org.post(`/${plural}`, { ...named[plural], owner_id: stranger.memberId })
    expect([unknown.status, unknown.body]).toMatchObject([
      404,
      { code: 'reference_not_found', detail: expect.stringContaining('owner_id: no member') },
    ])
    expect(await refused({ owner_id: sam.memberId, owner_email: kim.email })).toEqual([
      ...[422, 'owner_email'],
      expect.stringContaining('send only one'),
    ])
    if (plural === 'deals') {
      const deal = await create('deals', { owner_email: stranger.email })
      expect(ownerOf(deal)).toEqual([null, stranger.email])
      expect((await org.patch(at(deal), deal_fields(deal))).body.data.version).toBe(1)
    } else {
      expect(await refused({ owner_email: stranger.email })).toEqual([
        ...[422, 'owner_email'],
        expect.stringContaining('no member'),
      ])
    }
  })

  test('records are filtered and sorted by owner, and one batch changes the owner of many', async () => {
    const records = [
      await create(plural, { owner_id: sam.memberId }),
      await create(plural, { owner_id: kim.memberId }),
      await create(plural),
    ]
    const ids = records.map((record) => record[idOf[plural]])
    const found = async (query: string) =>
      (await org.get(`/${plural}?${query}`)).body.data.map((record: Record<string, string>) =>
        ids.indexOf(record[idOf[plural]]!),
      )
    expect(await found(`owner_id=${sam.memberId}`)).toEqual([0])
    expect(await found(`owner_email=${kim.email}`)).toEqual([1])
    const [first, second] = sam.email < kim.email ? [0, 1] : [1, 0]
    expect(await found('sort=owner_email')).toEqual([first, second, 2])
    expect(await found('sort=-owner_email')).toEqual([second, first, 2])
    const search = await org.post(`/${plural}/search`, {
      filter: { field: 'owner_id', op: 'is_null', value: true },
    })
    expect(search.body.data.map((record: Record<string, string>) => record[idOf[plural]])).toEqual([ids[2]])
    const items = ids.map((id) => ({ [idOf[plural]]: id, owner_email: kim.email }))
    const { body } = await org.post(`/${plural}/batch`, { items })
    expect(body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(ids.map(() => 'updated'))
    expect((await found(`owner_id=${kim.memberId}`)).sort()).toEqual([0, 1, 2])
  })

  test('a merged record shows the owner of the survivor, and an undo gives each record its own owner again', async () => {
    const [one, other] = [await create(plural), await create(plural, { owner_id: sam.memberId })]
    const [survivor_id, loser_id] = [one[idOf[plural]], other[idOf[plural]]]
    const entity_type = { contacts: 'contact', companies: 'company', deals: 'deal' }[plural]
    const merged = await org.post('/duplicates/merge', { entity_type, survivor_id, loser_ids: [loser_id] })
    expect(ownerOf(merged.body.data.record)).toEqual(samOwns())
    await org.patch(at(one), { owner_id: kim.memberId })
    await org.post(`/duplicates/undo-merge/${merged.body.data.merges[0].merge_id}`)
    expect(ownerOf((await org.get(at(other))).body.data)).toEqual(samOwns())
    expect(ownerOf((await org.get(at(one))).body.data)).toEqual([kim.memberId, kim.email])
  })
})

function deal_fields({ name, owner_id, owner_email }: Record<string, unknown>): object {
  return { name, owner_id, owner_email }
}

test('an import reads owners by address, and keeps an unknown address in custom', async () => {
  const csv = `email,Owner email\na@x.example,${sam.email}\nb@x.example,gone@x.example\nc@x.example,\n`
  expect(await importCsv(org, csv)).toMatchObject({ counts: { created: 3, refused: 0 } })
  const { data } = (await org.get('/contacts?sort=created_at')).body
  expect(data.map(ownerOf)).toEqual([samOwns(), nobody, nobody])
  expect(data.map(({ custom }: { custom: object }) => custom)).toEqual([
    {},
    { 'Owner email': 'gone@x.example' },
    {},
  ])
})

test('an import that updates contacts changes their owner, and its revert restores it', async () => {
  const contact = await create('contacts', { email: 'a@x.example', owner_id: kim.memberId })
  const csv = `email,owner_email\na@x.example,${sam.email}\n`
  const { counts, import_id } = await importCsv(org, csv, { query: { match_on: 'email' } })
  const path = `/contacts/${contact.contact_id}`
  expect([counts.updated, ownerOf((await org.get(path)).body.data)]).toEqual([1, samOwns()])
  await org.post(`/imports/${import_id}/revert`)
  await expect
    .poll(async () => ownerOf((await org.get(path)).body.data), patience)
    .toEqual([kim.memberId, kim.email])
})

test('an export has the owner of each record', async () => {
  await create('contacts', { owner_id: sam.memberId })
  const { text } = await org.get('/contacts/export?format=csv&fields=first_name,owner_id,owner_email')
  expect(text).toContain(`Ada,${sam.memberId},${sam.email}`)
})
