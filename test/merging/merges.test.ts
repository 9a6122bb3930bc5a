import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { merge } from '../support/merges.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('a merge fills blank fields and combines lists, and an undo restores both records exactly', async () => {
  const org = await app.newOrg()
  const make = async (fields: object) => (await org.post('/contacts', fields)).body.data
  const ada = await make({
    first_name: 'Ada',
    email: 'ada@x.example',
    tags: ['a'],
    external_ids: { crm: '1' },
  })
  const adah = await make({
    first_name: 'Adah',
    last_name: 'Lovelace',
    email: 'al@y.example',
    tags: ['b'],
    external_ids: { crm: '2', erp: '9' },
    custom: { n: 1 },
  })
  const [{ merge_id: id }] = (await merge(org, 'contact', ada.contact_id, adah.contact_id)) as [
    { merge_id: string },
  ]
  expect((await org.get(`/contacts/${adah.contact_id}`)).body.data).toMatchObject({
    contact_id: ada.contact_id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    emails: ['ada@x.example', 'al@y.example'],
    tags: ['a', 'b'],
    external_ids: { crm: '1', erp: '9' },
    custom: { n: 1 },
  })
  const { body } = await org.post(`/duplicates/undo-merge/${id}`)
  expect(body.data).toMatchObject({ status: 'undone', restored_id: adah.contact_id, can_undo: false })
  const facts = ({ version, updated_at, ...rest }: Record<string, unknown>) => rest
  for (const before of [ada, adah])
    expect(facts((await org.get(`/contacts/${before.contact_id}`)).body.data)).toEqual(facts(before))
})

test('an external id that a write replaced does not find the record; an undo of the merge makes it findable again', async () => {
  const org = await app.newOrg()
  const make = async (crm: string) => {
    const fields = { name: crm, external_ids: { crm } }
    return (await org.post('/companies', fields)).body.data.company_id as string
  }
  const [z, y, x] = [await make('1'), await make('2'), await make('3')]
  const [ofY] = await merge(org, 'company', z, y, x)
  const upsert = async () =>
    (await org.post('/companies/upsert', { match_on: 'external_id', name: 'U', external_ids: { crm: '3' } }))
      .body.data
  expect(await upsert()).toMatchObject({ company_id: z, outcome: 'updated' })
  await org.patch(`/companies/${y}`, { external_ids: { crm: '1' } })
  const { status } = await org.post(`/duplicates/undo-merge/${ofY!.merge_id}`)
  expect(status).toBe(200)
  expect(await upsert()).toMatchObject({ company_id: z, outcome: 'updated' })
})

test('redoing a merge of records that a person called different says which request merges them anyway', async () => {
  const org = await app.newOrg()
  const contact = async () =>
    (await org.post('/contacts', { first_name: 'Ada' })).body.data.contact_id as string
  const [a, b, c] = [await contact(), await contact(), await contact()]
  const merged = async (survivor: string, loser: string) =>
    (await merge(org, 'contact', survivor, loser))[0]!.merge_id
  const undoneMerge = await merged(a, b)
  expect((await org.post(`/duplicates/undo-merge/${undoneMerge}`)).status).toBe(200)
  // The undo of this merge gives the verdict "different" to A and C.
  expect((await org.post(`/duplicates/undo-merge/${await merged(a, c)}`)).status).toBe(200)
  await merged(b, c)
  const { status, body } = await org.post(`/duplicates/redo-merge/${undoneMerge}`)
  expect([status, body.code]).toEqual([409, 'verdict_different'])
  expect(body.detail).toContain('POST /duplicates/merge with "force": true')
  const forced = { entity_type: 'contact', survivor_id: a, loser_ids: [b], force: true }
  expect((await org.post('/duplicates/merge', forced)).status).toBe(200)
})
