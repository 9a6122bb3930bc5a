import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const send = (org: TestOrg, method: string, path: string, json: string) =>
  org.send(method, path, { raw: json, headers: { 'content-type': 'application/json' } })

test('amounts up to 2^53 - 1 are returned exactly as they were sent', async () => {
  const org = await app.newOrg()
  for (const amount of ['0', '1', '2147483648', '4294967297', '9007199254740990', '9007199254740991']) {
    const json = `{"name": "D", "amount_cents": ${amount}, "currency": "USD"}`
    const created = await send(org, 'POST', '/deals', json)
    expect(created.text).toContain(`"amount_cents":${amount},"currency":"USD"`)
    const path = `/deals/${created.body.data.deal_id}`
    const changed = await org.patch(path, { name: 'Again' })
    expect(changed.text).toContain(`"amount_cents":${amount},`)
    expect((await org.get('/deals?limit=1')).text).toContain(`"amount_cents":${amount},`)
  }
})

test.each([
  ['9007199254740992', 'less_than_equal', 'Input should be less than or equal to 9007199254740991'],
  ['9007199254740993', 'less_than_equal', 'Input should be less than or equal to 9007199254740991'],
  ['1e400', 'finite_number', 'Input should be a finite number'],
  ['-1', 'greater_than_equal', 'Input should be greater than or equal to 0'],
  ['12.5', 'int_from_float', 'Input should be a valid integer, got a number with a fractional part'],
  [
    '4503599627370496.3',
    'int_from_float',
    'Input should be a valid integer, got a number with a fractional part',
  ],
])('every endpoint refuses the amount %s', async (amount, type, msg) => {
  const org = await app.newOrg()
  const { deal_id } = (await org.post('/deals', { name: 'D', currency: 'USD' })).body.data
  const json = `{"name": "D", "currency": "USD", "external_ids": {"a": "1"}, "amount_cents": ${amount}}`
  const upserted = json.replace('{', '{"match_on": "external_id", ')
  const detail = { type, loc: ['body', 'amount_cents'], msg }
  for (const [method, path, body] of [
    ['POST', '/deals', json],
    ['PATCH', `/deals/${deal_id}`, json],
    ['POST', '/deals/upsert', upserted],
  ] as const) {
    const answer = await send(org, method, path, body)
    expect([answer.status, answer.body.detail]).toEqual([422, [expect.objectContaining(detail)]])
  }
  const batch = await send(org, 'POST', '/deals/batch', `{"items": [${json}]}`)
  if (type === 'finite_number') expect(batch.status).toBe(422)
  else
    expect(batch.body.data[0].detail).toEqual([expect.objectContaining({ ...detail, loc: ['amount_cents'] })])
  expect((await org.get('/deals')).body.pagination.total).toBe(1)
})

test('a deal with an amount must have a currency, even after each change', async () => {
  const org = await app.newOrg()
  const missing = [{ type: 'missing', loc: ['body', 'currency'], msg: 'Field required' }]
  const refused = await org.post('/deals', { name: 'D', amount_cents: 5 })
  expect([refused.status, refused.body.detail]).toEqual([422, missing])
  const { deal_id } = (await org.post('/deals', { name: 'D', currency: 'eur' })).body.data
  const path = `/deals/${deal_id}`
  expect((await org.patch(path, { amount_cents: 5 })).body.data).toMatchObject({
    amount_cents: 5,
    currency: 'EUR',
  })
  expect((await org.patch(path, { currency: null })).body.detail).toEqual(missing)
  const cleared = await org.patch(path, { amount_cents: null, currency: null })
  expect(cleared.body.data).toMatchObject({ amount_cents: null, currency: null })
  const bad = await org.patch(path, { currency: 'ABC', amount_cents: -1 })
  expect(bad.body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['amount_cents', 'currency'])
})
