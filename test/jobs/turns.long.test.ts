import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { changeRecords } from '../../src/bulk-changes/jobs.ts'
import { forgetConnection } from '../../src/crm-sync/connections/forget.ts'
import { moveReferences } from '../../src/duplicates/merge/move-references.ts'
import { convertField, indexField } from '../../src/fields/jobs.ts'
import { importRecords, revertImport } from '../../src/imports/jobs.ts'
import { reassignRecords } from '../../src/owners/jobs.ts'
import type { AnyJob } from '../../src/platform/jobs/job.ts'
import { archiveRevertedSubmissions } from '../../src/tracking/forms/submissions/jobs.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { connect, crmBase } from '../support/crm-sync/crm.ts'
import { uploadCsv } from '../support/csv-imports.ts'
import { runAsOwner } from '../support/database.ts'
import { newSentForm } from '../support/form-pages.ts'
import { runDirectly } from '../support/jobs/run-directly.ts'
import { newMember } from '../support/members.ts'
import { merge } from '../support/merges.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'api' })
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => app.close({ leavesJobs: true }))

/** Takes the waiting job of this name from the queue. Returns its payload. */
async function take({ name }: AnyJob): Promise<object> {
  const [row] = await runAsOwner<{ data: object }>(
    app.databaseUrl,
    `delete from pgboss.job_common where name = '${name}' and state < 'active' returning data`,
  )
  return row!.data
}

/**
 * Runs the job as a worker does, while each look of its turns at the clock finds it a second later. Returns the number of
 * turns. Others have the true clock: connections that seem to wait for 30 s are broken.
 */
async function runsOf(job: AnyJob): Promise<number> {
  const payload = (await take(job)) as never
  const now = performance.now.bind(performance)
  let turnsNow = now()
  const isTurn = () => new Error().stack?.includes('/run-turn.ts') === true
  vi.spyOn(performance, 'now').mockImplementation(() => {
    if (!isTurn()) return now()
    turnsNow += 1_000
    return turnsNow
  })
  const { signal } = new AbortController()
  const turns = await runDirectly(job, { payload, context: app.app.context, signal })
  vi.restoreAllMocks()
  return turns
}

async function contactsOf(org: TestOrg, count: number, fields: object): Promise<void> {
  const items = Array.from({ length: count }, () => ({ first_name: 'Ada', ...fields }))
  expect((await org.post('/contacts/batch', { items })).status).toBe(200)
}

test('a bulk change gives its slot to other jobs after each second, and changes all records', async () => {
  const org = await app.newOrg()
  await contactsOf(org, 250, {})
  const body = {
    entity: 'contact',
    filter: { field: 'first_name', value: 'Ada' },
    change: { add_tags: ['new'] },
  }
  const id = (await org.post('/bulk-changes', body)).body.data.bulk_change_id
  expect(await runsOf(changeRecords)).toBeGreaterThan(1)
  expect((await org.get(`/bulk-changes/${id}`)).body.data).toMatchObject({
    status: 'succeeded',
    changed: 250,
  })
})

test('a reassignment gives its slot to other jobs after each second, and reassigns all records', async () => {
  const org = await app.newOrg()
  const [sam, kim] = [await newMember(app, org.orgId, 'owner'), await newMember(app, org.orgId, 'member')]
  await contactsOf(org, 250, { owner_id: sam.memberId })
  await org.post('/deals', { name: 'Website', owner_id: sam.memberId })
  await org.post(`/owners/${sam.memberId}/reassign`, { to_owner_id: kim.memberId })
  expect(await runsOf(reassignRecords)).toBeGreaterThan(1)
  const owned = async (plural: string) =>
    (await org.get(`/${plural}?owner_id=${kim.memberId}`)).body.pagination.total
  expect([await owned('contacts'), await owned('deals')]).toEqual([250, 1])
})

test('a conversion and a new index give their slots to other jobs after each second, and reach all records', async () => {
  const org = await app.newOrg()
  await contactsOf(org, 500, { custom: { seats: '5' } })
  await contactsOf(org, 100, { custom: { seats: '6' } })
  const field = { entity: 'contact', key: 'seats', label: 'Seats', type: 'number', filterable: true }
  const answer = await org.post('/fields', { ...field, existing: 'convert' })
  expect([answer.status, answer.body.detail]).toEqual([201, undefined])
  expect(await runsOf(convertField)).toBeGreaterThan(1)
  expect(await runsOf(indexField)).toBeGreaterThan(1)
  const { data } = (await org.get(`/fields/${answer.body.data.field_id}`)).body
  expect(data).toMatchObject({ index_state: 'ready', conversion: { state: 'succeeded', converted: 600 } })
})

test('an import and its revert give their slots to other jobs after each second, and reach each row once', async () => {
  const org = await app.newOrg()
  const csv = `email\n${Array.from({ length: 9_500 }, (_, n) => `c${n}@example.com\n`).join('')}`
  const { import_id: id } = (await uploadCsv(org, csv)).body.data
  const read = async () => (await org.get(`/imports/${id}`)).body.data
  const contacts = async () => (await org.get('/contacts')).body.pagination.total
  expect(await runsOf(importRecords)).toBeGreaterThan(1)
  expect(await read()).toMatchObject({
    status: 'succeeded',
    counts: { created: 9_500, updated: 0, refused: 0 },
  })
  expect(await contacts()).toBe(9_500)
  expect((await org.post(`/imports/${id}/revert`)).status).toBe(202)
  expect(await runsOf(revertImport)).toBeGreaterThan(1)
  expect(await read()).toMatchObject({ status: 'reverted', counts: { reverted: 9_500, kept: 0 } })
  expect(await contacts()).toBe(0)
})

test('of two rows of an import for one contact, the later one wins, also if they are stored in different turns', async () => {
  const org = await app.newOrg()
  const rows = Array.from({ length: 3_000 }, (_, n) => `c${n % 1_000}@example.com,${n}\n`)
  const query = { match_on: 'email' }
  const { import_id: id } = (await uploadCsv(org, `email,last_name\n${rows.join('')}`, { query })).body.data
  expect(await runsOf(importRecords)).toBeGreaterThan(1)
  expect((await org.get(`/imports/${id}`)).body.data.counts).toMatchObject({ created: 1_000, updated: 2_000 })
  expect((await org.get('/contacts?email=c7@example.com')).body.data).toMatchObject([{ last_name: '2007' }])
})

test('the move of references after a merge gives its slot to other jobs after each second, and moves all', async () => {
  const org = await app.newOrg()
  const [kept, absorbed] = [await newCompany(org, 'Acme'), await newCompany(org, 'Former')]
  await runAsOwner(
    app.databaseUrl,
    `insert into contact (org_id, contact_id, first_name, company_raw_id, company_id, search, created_at, updated_at)
     select '${org.orgId}', app.uuid_v7(), 'C' || n, '${absorbed}', '${absorbed}', '', now(), now()
     from generate_series(1, 10001) as n`,
  )
  await merge(org, 'company', kept, absorbed)
  expect(await runsOf(moveReferences)).toBeGreaterThan(1)
  const [moved] = await runAsOwner<{ moved: number; versions: number }>(
    app.databaseUrl,
    `select count(*)::int as moved, max(version)::int as versions from contact
     where org_id = '${org.orgId}' and company_id = '${kept}'`,
  )
  expect(moved).toEqual({ moved: 10_001, versions: 2 })
  const [row] = (await org.get('/duplicates/recent-merges')).body.data
  expect(row.undo_blocked_reason).not.toBe('applying')
})

test('a deleted CRM connection gives its slot to other jobs after each second, and leaves no link', async () => {
  const org = await app.newOrg()
  const id = await connect(org)
  await runAsOwner(
    app.databaseUrl,
    `insert into crm_link (org_id, connection_id, mode, kind, contact_id)
     select '${org.orgId}', '${id}', 'live', 'lead', app.uuid_v7() from generate_series(1, 5001)`,
  )
  expect((await org.delete(`${crmBase}/connections/${id}`)).status).toBe(204)
  expect(await runsOf(forgetConnection)).toBeGreaterThan(1)
  expect(await runAsOwner(app.databaseUrl, `select from crm_link where connection_id = '${id}'`)).toEqual([])
})

test('a revert of a form gives its slot to other jobs after each second, and archives what was made', async () => {
  const org = await app.newOrg()
  const formId = await newSentForm(app, org)
  await runAsOwner(
    app.databaseUrl,
    `insert into form_submission
     select (jsonb_populate_record(s, jsonb_build_object('submission_id', app.uuid_v7(), 'message_key', md5(n::text)))).*
     from form_submission s, generate_series(1, 500) as n where s.org_id = '${org.orgId}'`,
  )
  const reverted = await org.post(`/forms/${formId}/revert`, { since: 0 })
  expect(reverted.body.data.submissions).toBe(501)
  expect(await runsOf(archiveRevertedSubmissions)).toBeGreaterThan(1)
  expect((await org.get('/contacts')).body.data).toEqual([])
  const left = `select from form_submission where org_id = '${org.orgId}' and reverting`
  expect(await runAsOwner(app.databaseUrl, left)).toEqual([])
})

async function newCompany(org: TestOrg, name: string): Promise<string> {
  return (await org.post('/companies', { name })).body.data.company_id
}
