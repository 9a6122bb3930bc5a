import { afterAll, expect, test } from 'vitest'
import { startTestApp } from './app.ts'
import { merge } from './merges.ts'

const app = await startTestApp()
afterAll(() => app.close())

test('a merge fills blanks and unites lists, and is undone to the letter', async () => {
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
