import { afterAll, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { createLog } from '../../src/platform/log.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'

// Of 4 connections, one organization gets at most 3.
const limits = { connectionWaitMs: 5_000, appConnections: 4 }
const app = await startTestApp({ role: 'api' }, undefined, createLog('silent'), limits)
afterAll(() => app.close())

test('an agency leaves database connections to other organizations, even if its requests wait in many clients', async () => {
  const [agency, other] = [await app.newAgency(), await app.newOrg()]
  const contactOf = async (org: TestOrg) => {
    await app.operate((tx) => linkOrgs(tx, agency.orgId, org.orgId))
    const { contact_id: id } = (await org.post('/contacts', { last_name: 'Lovelace' })).body.data
    return { id, headers: { 'x-target-org-id': org.orgId } }
  }
  const contacts = [await contactOf(await app.newOrg()), await contactOf(await app.newOrg())]
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = any ($1) for update', [
      contacts.map(({ id }) => id),
    ])
    const changes = contacts.flatMap(({ id, headers }) =>
      Array.from({ length: 3 }, () => agency.patch(`/contacts/${id}`, { last_name: 'Byron' }, { headers })),
    )
    await untilBlocked(client, 3)
    for (let asked = 0; asked < 5; asked++) expect((await other.get('/contacts')).status).toBe(200)
    await client.query('commit')
    await Promise.all(changes)
  })
})
