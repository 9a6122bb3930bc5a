import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { openConsent } from '../support/connect-app.ts'
import { withClient } from '../support/direct-sql.ts'
import { eventually } from '../support/eventually.ts'
import { newMember } from '../support/members.ts'
import { newVerifier, OauthRequests } from '../support/oauth-requests.ts'

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

test('while apps that register use both connections for strangers, a person connects an app', async () => {
  const { orgId } = await app.newOrg()
  const admin = await newMember(app, orgId, 'admin')
  const requests = new OauthRequests(app)
  const { client_id: clientId } = (await requests.register()).body
  const signIn = await openConsent(admin, requests.authorizeUrl(clientId, newVerifier()))
  await withClient(app, async (locker) => {
    const networks = ['10.8.0.1', '10.8.0.2']
    await locker.query('begin')
    for (const network of networks)
      await locker.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `oauth clients ${network}`,
      ])
    const registrations = networks.map((at) => requests.register(undefined, { 'x-forwarded-for': at }))
    await eventually(async () => {
      const { rows } = await locker.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      )
      expect(rows[0]!.waiting).toBe(2)
    })
    const allowed = { org_id: orgId, mode: 'live' as const, permissions: ['contacts:read'] }
    expect((await signIn.read()).status).toBe(200)
    expect((await signIn.allow(allowed)).status).toBe(200)
    await locker.query('commit')
    expect((await Promise.all(registrations)).map(({ status }) => status)).toEqual([201, 201])
  })
})
