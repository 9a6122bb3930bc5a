import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { linkOrgs, unlinkOrgs } from '../../src/orgs/operator.ts'
import { system } from '../../src/platform/db/system.ts'
import { sweepOnce } from '../../src/sandboxes/purge.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { importCounts } from '../support/csv-imports.ts'
import { patience } from '../support/patience.ts'

const megabyte = 1024 * 1024
const app = await startTestApp({ importMaxBytes: 24 * megabyte })
afterAll(() => app.close())

let before: Awaited<ReturnType<typeof importCounts>>
beforeEach(async () => {
  before = await importCounts(app)
})

/** Checks that no row of an upload is left. */
async function expectNoTrace(): Promise<void> {
  expect(await importCounts(app)).toEqual(before)
}

const header = 'name,email\n'

describe('an upload during which the API key', () => {
  type TakeAway = (key: TestOrg, admin: TestOrg, client: TestOrg) => Promise<unknown>
  test.each<[string, TakeAway, number, RegExp, string]>([
    [
      'is deleted',
      (key, admin) => admin.delete(`/api-keys/${key.apiKeyId}`),
      401,
      /deleted/,
      'api_key_unknown',
    ],
    [
      'loses the permission',
      (key, admin) => admin.patch(`/api-keys/${key.apiKeyId}`, { permissions: ['contacts:read'] }),
      403,
      /contacts:write/,
      'permission_missing',
    ],
    [
      'loses the client',
      (key, _admin, client) => app.operate((tx) => unlinkOrgs(tx, key.orgId, client.orgId)),
      403,
      /no longer a client of this agency/,
      'client_not_linked',
    ],
  ])(
    'an upload during which the API key %s is rejected, and leaves no rows in the database',
    async (_what, takeAway, status, says, code) => {
      const [agency, client] = [await app.newAgency(), await app.newOrg()]
      const admin = await app.newKey(agency.orgId)
      await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
      const sending = request(`${app.address}/contacts/imports`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${agency.token}`,
          'x-target-org-id': client.orgId,
          'content-type': 'text/csv',
        },
      })
      sending.write(header)
      await expect.poll(async () => (await importCounts(app)).imports, patience).toBe(before.imports + 1)
      await takeAway(agency, admin, client)
      sending.end('Ada,ada@example.com\n')
      const [response] = await once(sending, 'response')
      expect(response.statusCode).toBe(status)
      expect(await json(response)).toEqual({ detail: expect.stringMatching(says), code })
      await expectNoTrace()
    },
  )
})

test('an upload into a sandbox that is deleted meanwhile is rejected, and leaves no rows in the database', async () => {
  const admin = await app.newOrg()
  const made = await admin.post('/organization/sandboxes', { name: 'Trial', copy: 'settings' })
  const { org_id: sandboxOrgId, api_key_token: token } = made.body.data
  const sending = request(`${app.address}/contacts/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
  })
  sending.write(header)
  await expect.poll(async () => (await importCounts(app)).imports, patience).toBe(before.imports + 1)
  await admin.delete(`/organization/sandboxes/${sandboxOrgId}`)
  await sweepOnce(system(app.app.context.database))
  sending.end('Ada,ada@example.com\n')
  const [response] = await once(sending, 'response')
  expect([response.statusCode, (await json(response)) as object]).toMatchObject([
    401,
    { code: 'api_key_unknown' },
  ])
  await expectNoTrace()
})
