import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { startTestApp } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'

const app = await startTestApp()
afterAll(() => app.close())

test('an organization whose requests wait for each other leaves database connections to other organizations', async () => {
  const [busy, other] = [await app.newOrg(), await app.newOrg()]
  const { contact_id: id } = (await busy.post('/contacts', { first_name: 'Ada' })).body.data
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = $1 for update', [id])
    const waiting = Array.from({ length: 40 }, (_, n) => busy.patch(`/contacts/${id}`, { city: `City ${n}` }))
    await untilBlocked(client, 12)
    for (let n = 0; n < 20; n++) {
      expect((await other.get('/contacts')).status).toBe(200)
      expect((await other.post('/contacts', { first_name: `${n}` })).status).toBe(201)
    }
    await client.query('commit')
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(40).fill(200))
  })
})

test('a request that waits too long for a database connection gets 503 and changes nothing', async () => {
  // The default limit of the wait for a connection. The other test servers wait longer.
  const usual = await startTestApp({}, app, createLog('silent'), {})
  onTestFinished(() => usual.close())
  const org = await usual.newOrg()
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = $1 for update', [id])
    const waiting = Array.from({ length: 12 }, () => org.patch(`/contacts/${id}`, { city: 'London' }))
    await untilBlocked(client, 12)
    const late = await org.patch(`/contacts/${id}`, { city: 'Paris' })
    expect([late.status, late.headers.get('retry-after'), late.body.detail]).toEqual([
      503,
      '2',
      expect.stringMatching(/^Too many requests of this organization/),
    ])
    await client.query('commit')
    await Promise.all(waiting)
  })
  expect((await org.get(`/contacts/${id}`)).body.data.city).toBe('London')
})
