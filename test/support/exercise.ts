import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'

import { type App, startApp } from '../../src/app.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { DatabaseLimits } from '../../src/platform/db/database.ts'
import type { Statement } from '../../src/platform/db/statement.ts'
import { system } from '../../src/platform/db/system.ts'
import type { Log } from '../../src/platform/log.ts'
import { createLog } from '../../src/platform/log.ts'

import { newOrgOn, TestClient } from './app.ts'
import { patience } from './patience.ts'
import { expectWithin } from './within.ts'

export function startOn(
  url: string,
  key: Buffer,
  { log = createLog('silent'), limits = {} }: { log?: Log; limits?: DatabaseLimits } = {},
): Promise<App> {
  return startApp({ ...readConfig({}), port: 0 }, log, url, key, limits)
}

/** Uses every feature that depends on roles and rights. */
export async function useEveryFeature(url: string, key: Buffer): Promise<void> {
  const nodes = [await startOn(url, key)]
  try {
    nodes.push(await startOn(url, key))
    const [app, other] = nodes as [App, App]
    const asAgency = { isAgency: true, key: { isAgency: true } }
    const [acme, globex, agency] = [await newOrgOn(app), await newOrgOn(app), await newOrgOn(app, asAgency)]
    await useRecords(acme)
    await useDeals(acme)
    await importFile(globex)
    expect((await agency.post('/agency/clients', { name: 'Northwind' })).status).toBe(201)
    expect((await agency.get('/agency/clients')).body.data).toHaveLength(1)
    const [{ org_id }] = (await agency.get('/agency/clients')).body.data
    const onClient = await agency.get('/deals/close-reasons', { headers: { 'x-target-org-id': org_id } })
    expect(onClient.body.data.close_reasons.length).toBeGreaterThan(5)
    await proveTenancy(app, acme.orgId, globex.orgId)
    await proveNotified(acme, new TestClient(other.address!, acme.token))
  } finally {
    for (const node of nodes) await node.close()
  }
}

async function useRecords(client: TestClient): Promise<void> {
  const created = await client.post('/contacts', {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
  expect(created.status).toBe(201)
  const { contact_id } = created.body.data
  const changed = await client.patch(`/contacts/${contact_id}`, { city: 'London' })
  expect(changed.body.data).toMatchObject({ contact_id, city: 'London' })
  for (const filter of ['', '?q=lovelace', '?email=ada@example.com']) {
    const listed = await client.get(`/contacts${filter}`)
    expect(listed.body.data).toEqual([changed.body.data])
    expect(listed.body.pagination.total).toBe(1)
  }
}

async function useDeals(client: TestClient): Promise<void> {
  const [{ contact_id }] = (await client.get('/contacts')).body.data
  const fields = { name: 'Website', amount_cents: 100, currency: 'EUR', contact_ids: [contact_id] }
  const { deal_id } = (await client.post('/deals', fields)).body.data
  const [{ close_reason_id }] = (await client.get('/deals/close-reasons')).body.data.close_reasons
  const closed = await client.post(`/deals/${deal_id}/close`, { status: 'won', close_reason_id })
  expect(closed.status).toBe(200)
  expect((await client.get('/deals?q=website')).body.data).toEqual([closed.body.data])
  const won = [{ currency: 'EUR', deals: 1, amount_cents: '100' }]
  expect((await client.get('/deals/summary')).body.data.months.at(-1)).toMatchObject({ won, lost: [] })
  const stages = await client.send('PUT', '/deals/stages', { body: { stages: ['First'] } })
  expect(stages.body.data.stages).toEqual(['First'])
}

async function importFile(client: TestClient): Promise<void> {
  const raw = 'email,first name\ngrace@example.com,Grace\nalan@example.com,Alan\n,"Alan\n'
  const queued = await client.send('POST', '/contacts/imports', {
    raw,
    headers: { 'content-type': 'text/csv' },
  })
  expect(queued.status).toBe(202)
  const path = `/imports/${queued.body.data.import_id}`
  await expect.poll(async () => (await client.get(path)).body.data.status, patience).toBe('succeeded')
  expect((await client.get('/contacts')).body.pagination.total).toBe(2)
}

/** Reads as the app's role without any org filter, in each way to send a statement. */
async function proveTenancy(app: App, orgId: string, otherId: string): Promise<void> {
  const seen: Statement<{ role: string; orgs: string[] }> = {
    text: `select current_user as role, array(
             select org_id::text from contact union select org_id::text from org union select org_id::text from event
           ) as orgs`,
    values: [],
  }
  for (const id of [orgId, otherId, orgId]) {
    const org = app.context.database.org(id)
    const expected = { role: 'crosswalk_app', orgs: [id] }
    expect(await org.readRows(seen)).toEqual([expected])
    for (const twice of [
      await org.read((tx) => Promise.all([tx.first(seen), tx.first(seen)])),
      await org.transact((tx) => Promise.all([tx.first(seen), tx.first(seen)])),
      await org.transact(async (tx) => [await tx.first(seen), await tx.first(seen)]),
    ])
      expect(twice).toEqual([expected, expected])
  }
  const org = app.context.database.org(orgId)
  const steal: Statement<never> = { text: 'update contact set org_id = $1', values: [otherId] }
  await expect(org.transact((tx) => tx.run(steal))).rejects.toMatchObject({ code: '42501' })
  const nowhere = await app.context.database.org(randomUUID()).readRows(seen)
  expect(nowhere).toEqual([{ role: 'crosswalk_app', orgs: [] }])
  const across = await system(app.context.database).readRows(seen)
  expect(across[0]!.role).toBe('crosswalk_system')
  expect(across[0]!.orgs).toEqual(expect.arrayContaining([orgId, otherId]))
}

/** Checks that a node refuses a cached key that another node has deleted. */
async function proveNotified(
  client: TestClient & { apiKeyId: string },
  elsewhere: TestClient,
): Promise<void> {
  expect((await elsewhere.get('/organization')).status).toBe(200)
  expect((await client.delete(`/api-keys/${client.apiKeyId}`)).status).toBe(204)
  await expectWithin(2_000, async () => (await elsewhere.get('/organization')).status, 401)
}
