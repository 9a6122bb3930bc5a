import { afterAll, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { system } from '../../src/platform/db/system.ts'
import { formLookup } from '../../src/tracking/forms/public/known-forms.ts'
import { writeKeyLookup } from '../../src/tracking/ingest/known-write-keys.ts'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('write keys and forms of clients take turns as their agency, and each client has its own budgets', async () => {
  const [agency, client] = [await app.newOrg({ isAgency: true }), await app.newOrg()]
  const { key } = (await client.post('/write-keys', { name: 'Site' })).body.data
  const fields = [{ key: 'email', label: 'E-mail', type: 'email', required: true, maps_to: 'email' }]
  const form = (await client.post('/forms', { name: 'Demo', fields })).body.data
  const published = await client.patch(`/forms/${form.form_id}`, { status: 'live' })
  expect(published.status, published.text).toBe(200)
  const scope = system(app.app.context.database)
  const owners = async () => {
    const found = [
      (await writeKeyLookup(scope).find([key])).get(key),
      (await formLookup(scope).find([form.form_id])).get(form.form_id),
    ]
    return found.map((known) => [known?.payerId, known?.mainOrgId])
  }
  const alone = [client.orgId, client.orgId]
  expect(await owners()).toEqual([alone, alone])
  await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
  const shared = [agency.orgId, client.orgId]
  expect(await owners()).toEqual([shared, shared])
})

test('a transaction shares the thread as the payer of its request', async () => {
  const [agency, client] = [await app.newOrg({ isAgency: true }), await app.newOrg()]
  const { database } = app.app.context
  const payers = [database.org(client.orgId, { payerId: agency.orgId }), database.org(client.orgId)].map(
    (org) => org.transact(async (tx) => [tx.orgId, tx.payerId]),
  )
  expect(await Promise.all(payers)).toEqual([
    [client.orgId, agency.orgId],
    [client.orgId, client.orgId],
  ])
})
