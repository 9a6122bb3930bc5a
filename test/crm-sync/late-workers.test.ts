import { afterAll, expect, test } from 'vitest'
import { contacts } from '../../src/contacts/contacts.ts'
import { eraseRelatedData } from '../../src/contacts/erasure.ts'
import { SandboxAdapter } from '../../src/crm-sync/adapters/sandbox.ts'
import { erasePushes } from '../../src/crm-sync/erasure.ts'
import { beginJob, finishJob, readRunning, targetOf } from '../../src/crm-sync/jobs/job-state.ts'
import { saveResults } from '../../src/crm-sync/jobs/results.ts'
import { markSending } from '../../src/crm-sync/links.ts'
import { eraseRecord } from '../../src/records/erase.ts'
import { lockRecord } from '../../src/records/lock.ts'
import type { ErasableType } from '../../src/records/record-type.ts'
import { startTestApp } from '../support/app.ts'
import { connect, crmBase, itemsOf, jobOf, leadsOf, people, push } from '../support/crm-sync/crm.ts'
import { runAsOwner } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'

/** This app has no worker, so its jobs stay queued. */
const api = await startTestApp({ role: 'api' })
afterAll(() => api.close())

async function pushOfOne() {
  const org = await api.newOrg()
  const connection_id = await connect(org)
  const [itemId] = await people(org, 1)
  const jobId = await push(org, { connection_id })
  const scope = api.app.context.database.org(org.orgId)
  await beginJob(scope, jobId)
  const running = (await scope.read((tx) => readRunning(tx, jobId)))!
  return { org, itemId: itemId!, jobId, scope, running }
}

test('results that a worker stores after its job ended are counted', async () => {
  const { org, itemId, jobId, scope, running } = await pushOfOne()
  await scope.transact((tx) => finishJob(tx, running, { code: 'access_refused', message: 'Refused' }))
  const result = {
    itemId,
    outcome: 'skipped',
    externalId: null,
    error: { code: 'not_reachable', message: 'Archived' },
  } as const
  await scope.transact((tx) => saveResults(tx, running, [result]))
  const failed = { status: 'failed', error: { message: 'Refused' }, counts: { processed: 1, skipped: 1 } }
  expect(await jobOf(org, jobId)).toMatchObject(failed)
})

const erasable: ErasableType = {
  ...contacts,
  erase: (tx, stored, contactIds) => eraseRelatedData(tx, stored, contactIds, [erasePushes]),
}

test.each([null, 'failed'] as const)(
  'a CRM answer that arrives while the contact is erased is not stored: %s',
  async (outcome) => {
    const { org, itemId, jobId, scope, running } = await pushOfOne()
    const erased = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const erasing = scope.transact(async (tx) => {
      const stored = await lockRecord(tx, contacts, itemId, { forDelete: true })
      await eraseRecord(tx, erasable, stored)
      erased.resolve()
      await release.promise
    })
    await erased.promise
    const result = {
      itemId,
      outcome,
      externalId: null,
      error: { code: 'duplicate', message: 'p0@example.com is a duplicate' } as const,
    }
    const saving = scope.transact((tx) => saveResults(tx, running, [result]))
    // The request waits for the erasure, or has already ended.
    await withClient(api, (client) => Promise.race([saving, untilBlocked(client).catch(() => {})]))
    release.resolve()
    await Promise.all([erasing, saving])
    expect(await itemsOf(org, jobId)).toMatchObject([{ outcome, error: null }])
  },
)

test('a contact that is erased after a worker has read the contact never reaches the sandbox', async () => {
  const { org, itemId, scope, running } = await pushOfOne()
  const { connection } = running
  expect((await org.post(`/contacts/${itemId}/erase`)).status).toBe(200)
  const person = { key: itemId, externalId: null, email: 'p0@example.com', values: { last_name: 'Person' } }
  const adapter = new SandboxAdapter({ org: scope, connection, mode: 'live' })
  expect(await adapter.upsert('lead', [person], AbortSignal.timeout(9_000))).toMatchObject([
    { outcome: 'failed', message: expect.stringMatching(/^The contact was erased/) },
  ])
  expect(await leadsOf(org, connection.connection_id)).toEqual([])
})

test('a worker that was paused while its connection was deleted stores nothing', async () => {
  const { org, itemId, scope, running } = await pushOfOne()
  const { connection_id } = running.connection
  await org.delete(`${crmBase}/connections/${connection_id}`)
  await scope.transact((tx) => markSending(tx, targetOf(running), [itemId]))
  const person = { key: itemId, externalId: null, email: 'p0@example.com', values: { last_name: 'Person' } }
  await new SandboxAdapter({ org: scope, connection: running.connection, mode: 'live' }).upsert(
    'lead',
    [person],
    AbortSignal.timeout(9_000),
  )
  for (const table of ['crm_link', 'crm_sandbox_record']) {
    const found = await runAsOwner(api.databaseUrl, `select from ${table} where connection_id = $1`, [
      connection_id,
    ])
    expect(found, table).toEqual([])
  }
})
