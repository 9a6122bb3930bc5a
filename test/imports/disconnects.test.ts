import { request } from 'node:http'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { importCounts } from '../support/csv-imports.ts'
import { withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

const megabyte = 1024 * 1024
const header = 'name,email\n'
const line = Buffer.from(`Ada,ada@example.com,${'x'.repeat(1000)}\n`)

const app = await sharedTestApp()
afterAll(() => app.close())

let before: Awaited<ReturnType<typeof importCounts>>
beforeEach(async () => {
  before = await importCounts(app)
})

test('an upload whose client disconnects leaves no rows in the database', async () => {
  const org = await app.newOrg()
  const sending = request(`${app.address}/contacts/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.token}`, 'content-type': 'text/csv' },
  })
  sending.on('error', () => {})
  sending.write(Buffer.concat([Buffer.from(header), Buffer.alloc(2 * megabyte, line)]))
  await expect.poll(async () => (await importCounts(app)).pieces, patience).toBeGreaterThan(before.pieces)
  sending.destroy()
  await expect.poll(() => importCounts(app), patience).toEqual(before)
  expect((await org.get('/contacts')).body.pagination.total).toBe(0)
})

test('a client that disconnects while the server waits for a lock ends only its own upload', async () => {
  const org = await app.newOrg()
  await withClient(app, async (blocker) => {
    await blocker.query('begin; lock table import in exclusive mode')
    const sending = request(`${app.address}/contacts/imports`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${org.token}`, 'content-type': 'text/csv' },
        'idempotency-key': 'a cut upload',
      },
    })
    sending.on('error', () => {})
    // The server notices the end at once only if it has read everything before.
    sending.write(header)
    const waiting = () =>
      blocker.query(`select from pg_locks where relation = 'import'::regclass and not granted`)
    await expect.poll(async () => (await waiting()).rowCount, patience).toBe(1)
    sending.destroy()
    // An answer means that the server has noticed the end of the other connection.
    await expect.poll(async () => (await org.get('/organization')).status, patience).toBe(200)
    await blocker.query('commit')
  })
  await expect.poll(() => importCounts(app), patience).toEqual(before)
})
