import { afterAll, beforeAll, expect, test } from 'vitest'
import { contacts } from '../src/contacts/contacts.ts'
import { beginJob, readRunning } from '../src/crm-sync/jobs/life.ts'
import { settleItems } from '../src/crm-sync/jobs/settle.ts'
import { eraseRecord } from '../src/records/erase.ts'
import { lockRecord } from '../src/records/lock.ts'
import { startTestApp, type TestApp } from './app.ts'
import { connect, itemsOf, people, push } from './crm.ts'
import { untilBlocked, withClient } from './direct-sql.ts'

let api: TestApp
beforeAll(async () => {
  api = await startTestApp({ role: 'api' })
})
afterAll(async () => {
  await api.close()
})

test.each([null, 'failed'] as const)(
  'what a CRM says while somebody is erased is not kept: %s',
  async (outcome) => {
    const org = await api.newOrg()
    const connection_id = await connect(org)
    const [itemId] = await people(org, 1)
    const jobId = await push(org, { connection_id })
    const scope = api.app.context.database.org(org.orgId)
    await beginJob(scope, jobId)
    const running = (await scope.read((tx) => readRunning(tx, org.orgId, jobId)))!
    const erased = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const erasing = scope.transact(async (tx) => {
      const stored = await lockRecord(tx, org.orgId, contacts, itemId!, { ends: true })
      const actor = { orgId: org.orgId, mode: 'live', apiKeyId: running.apiKeyId } as const
      await eraseRecord(tx, actor, contacts, stored)
      erased.resolve()
      await release.promise
    })
    await erased.promise
    const settled = { itemId: itemId!, outcome, externalId: null, error: 'p0@example.com is a duplicate' }
    const settling = scope.transact((tx) => settleItems(tx, running, [settled]))
    // It waits for the erasure, or else is done by now.
    await withClient(api, (client) => Promise.race([settling, untilBlocked(client).catch(() => {})]))
    release.resolve()
    await Promise.all([erasing, settling])
    expect(await itemsOf(org, jobId)).toMatchObject([{ outcome, error: null }])
  },
)
