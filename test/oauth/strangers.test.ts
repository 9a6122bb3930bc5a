import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { eventually } from '../support/eventually.ts'
import { OauthRequests } from '../support/oauth-requests.ts'

let app: TestApp
beforeAll(async () => {
  // A server of its own, because the test locks a table.
  app = await startTestApp({ trustProxy: true })
})
afterAll(() => app.close())

test('apps that register from many addresses leave connections for new API keys', async () => {
  const org = await app.newOrg()
  const requests = new OauthRequests(app)
  await withClient(app, async (locker) => {
    await locker.query('begin; lock table oauth_client in access exclusive mode')
    const registrations = Array.from({ length: 8 }, (_, at) =>
      requests.register(undefined, { 'x-forwarded-for': `10.7.0.${at}` }),
    )
    await eventually(async () => {
      const { rows } = await locker.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_locks where relation = 'oauth_client'::regclass and not granted`,
      )
      expect(rows[0]!.waiting).toBeGreaterThanOrEqual(2)
    })
    // The server has not seen this API key yet, so it reads the key on a connection that crosses organizations.
    expect((await org.get('/contacts')).status).toBe(200)
    await locker.query('commit')
    const statuses = (await Promise.all(registrations)).map(({ status }) => status)
    expect(statuses).toEqual(Array(8).fill(201))
  })
})
