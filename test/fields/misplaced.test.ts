import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('a defined field that is sent without custom is refused with the right place, in bodies and filters', async () => {
  const org = await app.newOrg()
  await org.post('/fields', { entity: 'contact', type: 'text', key: 'tier' })
  const { contact_id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
  const hintOf = ({ body }: { body: { detail: { ctx: unknown }[] } }) => body.detail.map(({ ctx }) => ctx)
  const text =
    'fields of your own as members of custom: {"custom": {"<key>": …}}; no members of answers, such as version'
  const inCustom = [{ expected: text }]
  const asFilter = [{ expected: 'custom.<key> for a field of your own' }]
  expect(hintOf(await org.post('/contacts', { first_name: 'Ada', tier: 'Gold' }))).toEqual(inCustom)
  expect(hintOf(await org.patch(`/contacts/${contact_id}`, { tier: 'Gold' }))).toEqual(inCustom)
  expect(hintOf(await org.patch(`/contacts/${contact_id}`, { contact_id }))).toEqual(inCustom)
  expect(hintOf(await org.get('/contacts?tier=Gold'))).toEqual(asFilter)
  const filter = { field: 'tier', value: 'Gold' }
  expect(hintOf(await org.post('/contacts/search', { filter }))).toEqual(asFilter)
  expect(hintOf(await org.get('/contacts?citty=Rome'))).toEqual([{ nearest: 'city' }])
  expect(hintOf(await org.post('/write-keys', { name: 'Website', tier: 'Gold' }))).toEqual([undefined])
})
