import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const org = await app.newOrg()

test('a body with the content type of a form gets 422 with the content type to send', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, body } = await org.post('/contacts', undefined, { raw: '{"first_name":"Ada"}', headers })
  expect([status, body.detail[0].type, body.detail[0].loc]).toEqual([422, 'model_attributes_type', ['body']])
  expect(body.detail[0].ctx.expected).toBe(
    'JSON with the header Content-Type: application/json; the Content-Type of this request is application/x-www-form-urlencoded',
  )
})

test.each([
  ['contacts', { first_name: 'Ada' }, { version: 2 }, 'the version in the header If-Match'],
  ['contacts', { first_name: 'Ada' }, { name: 'Ada L' }, 'the members first_name and last_name'],
  [
    'deals',
    { name: 'Deal' },
    { status: 'won' },
    'POST /deals/{deal_id}/close or POST /deals/{deal_id}/reopen',
  ],
])(
  'a PATCH of %s created with %j gets a hint for the misplaced member of %j',
  async (path, fields, sent, expected) => {
    const { body } = await org.post(`/${path}`, fields)
    const answer = await org.patch(`/${path}/${body.data.contact_id ?? body.data.deal_id}`, sent)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ type: 'extra_forbidden', ctx: { expected } }])
  },
)

test.each([
  [
    '/contacts?updated_since=1795390502000',
    { le: 253402300799, expected: 'Unix seconds, such as 1795390502' },
  ],
  ['/contacts?updated_since=2026-11-22', { expected: 'Unix seconds, such as 1795390502' }],
  ['/contacts?cty=Rome', { nearest: 'city' }],
  ['/contacts?order_by=name', { nearest: 'sort' }],
  ['/contacts?offset=20', { nearest: 'page' }],
  ['/contacts?fields=id', { nearest: 'contact_id' }],
  ['/contacts?consent.email=yes', { expected: "'granted', 'denied' or 'unknown'" }],
])('%s is a 422 with the hint %j', async (path, hint) => {
  const { status, body } = await org.get(path)
  expect([status, body.detail[0].ctx]).toEqual([422, hint])
})

test('a condition with `operator` is a 422 that suggests `op`', async () => {
  const filter = { field: 'city', operator: 'eq', value: 'Rome' }
  const { body } = await org.post('/contacts/search', { filter })
  expect(body.detail[0].ctx).toEqual({ nearest: 'op' })
})

test('deals are filtered by a currency in any letter case', async () => {
  await org.post('/deals', { name: 'Euros', amount_cents: 1, currency: 'EUR' })
  expect((await org.get('/deals?currency=eur')).body.data).toMatchObject([{ name: 'Euros' }])
  expect((await org.get('/deals?currency=euro')).status).toBe(422)
})
