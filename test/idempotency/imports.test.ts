import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { type Answer, sharedTestApp } from '../support/app.ts'
import { importCounts, untilEnded, uploadCsv } from '../support/csv-imports.ts'
import { patience } from '../support/patience.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const csv = 'name,email\nAda,ada@example.com\n'
const headers = { 'idempotency-key': 'k' }
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'

test('a file that is sent again with the same idempotency key is imported once, even if it arrives in other pieces', async () => {
  const org = await app.newOrg()
  const first = await uploadCsv(org, csv, { headers })
  expect(first.status).toBe(202)
  await untilEnded(org, first.body.data.import_id)
  const before = await importCounts(app)
  const retry = await uploadCsv(org, csv, { headers })
  expect([retry.status, isReplay(retry), retry.text]).toEqual([202, true, first.text])
  const sending = request(`${app.address}/v1/contacts/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.token}`, 'content-type': 'text/csv; charset=utf-8', ...headers },
  })
  for (const character of csv) {
    sending.write(character)
    await new Promise(setImmediate)
  }
  const [response] = await once(sending.end(), 'response')
  expect(await text(response)).toBe(first.text)
  expect(await importCounts(app)).toEqual(before)
  expect((await org.get('/contacts')).body.pagination.total).toBe(1)
})

test('an idempotency key with another file, another mapping or the same text as JSON gets 422, and imports nothing', async () => {
  const org = await app.newOrg()
  await untilEnded(org, (await uploadCsv(org, csv, { headers })).body.data.import_id)
  const before = await importCounts(app)
  const answers = [
    await uploadCsv(org, `${csv}\n`, { headers }),
    await uploadCsv(org, csv, { headers, mapping: { name: 'city' } }),
    await org.post('/contacts/imports', { csv }, { headers }),
  ]
  for (const { status, body } of answers)
    expect([status, body.detail]).toMatchObject([422, [{ type: 'idempotency_key_reused' }]])
  expect(await importCounts(app)).toEqual(before)
})

test('a refused file leaves the idempotency key free', async () => {
  const org = await app.newOrg()
  expect((await uploadCsv(org, 'PK\x03\x04', { headers })).status).toBe(422)
  const { status, body } = await uploadCsv(org, csv, { headers })
  expect(status).toBe(202)
  await untilEnded(org, body.data.import_id)
})

test('a slow upload of a file occupies no database connection', async () => {
  const org = await app.newOrg()
  const before = await importCounts(app)
  const sending = request(`${app.address}/v1/contacts/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.token}`, 'content-type': 'text/csv', ...headers },
  })
  sending.write(csv + 'x'.repeat(1024 * 1024))
  await expect.poll(async () => (await importCounts(app)).pieces, patience).toBe(before.pieces + 1)
  await expect
    .poll(() => {
      const { open, idle } = app.app.context.database.gauges()
      return open - idle
    }, patience)
    .toBe(0)
  const [response] = await once(sending.end('\n'), 'response')
  expect(response.statusCode).toBe(202)
})
