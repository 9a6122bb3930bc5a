import { afterAll, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { createContact } from '../support/merges.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp()
afterAll(() => app.close())

async function identify({ token }: TestOrg, email: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const body = { userId: email, traits: { firstName: 'Ada' } }
  const sent = await app.stranger.post('/v1/identify', body, { prefix: '', headers: { authorization } })
  expect(sent.status).toBe(200)
}

test('the identify calls of an organization do not wait for the locked contacts of others', async () => {
  const locked = await Promise.all(Array.from({ length: 3 }, () => app.newOrg()))
  const org = await app.newOrg()
  const email = 'ada@example.com'
  for (const each of locked) await createContact(each, { email })
  await withClient(app, async (client) => {
    await client.query('begin')
    // As the erasure of a company with many contacts does, for many seconds.
    await client.query('select from contact for update')
    for (const each of locked) await identify(each, email)
    await withClient(app, (other) => untilBlocked(other))
    await identify(org, email)
    const found = async () => (await org.get(`/contacts?email=${email}`)).body.data.length
    await expectWithin(8_000, found, 1)
    await client.query('commit')
  })
  for (const each of locked)
    await expectWithin(
      20_000,
      async () => (await each.get(`/contacts?email=${email}`)).body.data[0].first_name,
      'Ada',
    )
})
