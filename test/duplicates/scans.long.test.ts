import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contacts } from '../../src/contacts/contacts.ts'
import { scanDuplicates } from '../../src/duplicates/scans/jobs.ts'
import { matchKeysOf } from '../../src/matching/match-keys.ts'
import { readRecords } from '../../src/records/lock.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { createRecords } from '../support/finding.ts'
import { frozenAfter } from '../support/frozen-process.ts'
import { abandonDirectly, runDirectly } from '../support/jobs/run-directly.ts'
import {
  createDuplicatePairs,
  pairCount,
  proposedPairs,
  readScan,
  requestScan,
  singleCount,
} from '../support/scans.ts'

// This app has no worker: each test starts its own.
const app = await startTestApp({ role: 'api' })
let other: TestApp
beforeAll(async () => {
  other = await startTestApp({ role: 'api' }, app)
})
afterAll(async () => {
  await other.close()
  await app.close()
})

const jobOf = (org: TestOrg, scanId: string, context = app.app.context) => ({
  payload: { org_id: org.orgId, scan_id: scanId, entity_type: 'contact' as const },
  context,
  signal: new AbortController().signal,
})
const run = (...[org, scanId, context]: Parameters<typeof jobOf>) =>
  runDirectly(scanDuplicates, jobOf(org, scanId, context))

test('a scan finds all duplicates, and a second scan finds nothing new', async () => {
  const { org, doubles } = await createDuplicatePairs(app)
  const first = await requestScan(org)
  expect(await readScan(org, first)).toMatchObject({
    entity_type: 'contact',
    status: 'queued',
    progress: 0,
    started_at: null,
  })
  await run(org, first)
  expect(await proposedPairs(org)).toEqual(doubles.sort())
  expect(await readScan(org, first)).toMatchObject({
    status: 'succeeded',
    progress: 1,
    error: null,
    counts: { records_read: 2 * pairCount + singleCount, proposals_opened: pairCount, merges_applied: 0 },
    finished_at: expect.any(Number),
  })
  const second = await requestScan(org)
  await run(org, second)
  expect((await readScan(org, second)).counts).toMatchObject({ proposals_opened: 0, merges_applied: 0 })
  expect(await proposedPairs(org)).toEqual(doubles.sort())
  const { body } = await org.get('/duplicates/scans?entity_type=contact')
  expect(body.data.map(({ scan_id }: { scan_id: string }) => scan_id)).toEqual([second, first])
  expect(body.pagination.total).toBe(2)
})

test('a scan compares no contacts that share only a name with more than ten others', async () => {
  const org = await app.newOrg()
  const items = Array.from({ length: 12 }, (_, n) => ({
    first_name: 'Maria',
    last_name: 'Lopez',
    email: `maria.${n}@house-${n}.com`,
  }))
  await org.post('/contacts/batch', { items })
  const scanId = await requestScan(org)
  await run(org, scanId)
  expect((await readScan(org, scanId)).counts).toMatchObject({ records_read: 12, pairs_compared: 0 })
})

test('a scan merges duplicates if the mode is auto', async () => {
  const { org } = await createDuplicatePairs(app)
  await org.patch('/duplicates/settings', { contact: { mode: 'auto' } })
  const scanId = await requestScan(org)
  await run(org, scanId)
  expect((await readScan(org, scanId)).counts).toMatchObject({
    proposals_opened: 0,
    merges_applied: pairCount,
  })
  expect((await org.get('/contacts?limit=1')).body.pagination.total).toBe(pairCount + singleCount)
})

test('a worker that was frozen until its scan failed merges nothing when it wakes up', async () => {
  const { org } = await createDuplicatePairs(app)
  await org.patch('/duplicates/settings', { contact: { mode: 'auto' } })
  const scanId = await requestScan(org)
  // The transactions of a scan: start, save progress, plan the merges, and make the first two.
  const frozen = frozenAfter(app.app.context, 4)
  const lost = run(org, scanId, frozen.context)
  await frozen.reached
  await abandonDirectly(scanDuplicates, jobOf(org, scanId))
  frozen.thaw()
  await lost
  expect(await readScan(org, scanId)).toMatchObject({ status: 'failed', counts: { merges_applied: 1 } })
  expect((await org.get('/contacts?limit=1')).body.pagination.total).toBe(2 * pairCount + singleCount - 1)
})

test('a scan uses the settings that apply when it decides about a group', async () => {
  const { org } = await createDuplicatePairs(app)
  const scanId = await requestScan(org)
  const frozen = frozenAfter(app.app.context, 2)
  const scanning = run(org, scanId, frozen.context)
  await frozen.reached
  expect((await org.patch('/duplicates/settings', { contact: { mode: 'off' } })).status).toBe(200)
  frozen.thaw()
  await scanning
  expect((await readScan(org, scanId)).counts).toMatchObject({ proposals_opened: 0 })
  expect(await proposedPairs(org)).toEqual([])
})

test('a request returns a scan that is already queued, and queues a new one while another is running', async () => {
  const { org } = await createDuplicatePairs(app)
  const waiting = await requestScan(org)
  expect(await requestScan(org)).toBe(waiting)
  await app.operate((tx) =>
    tx.run({
      text: `update duplicate_scan set status = 'running' where scan_id = $1`,
      values: [waiting],
    }),
  )
  expect(await requestScan(org)).not.toBe(waiting)
})

test('a scan writes missing match keys before it compares records', async () => {
  const { org } = await createDuplicatePairs(app)
  await app.operate(async (tx) => {
    await tx.run({ text: 'delete from match_key where org_id = $1', values: [org.orgId] })
    await tx.run({ text: `insert into match_key_backlog values ($1, 'contact')`, values: [org.orgId] })
  })
  await run(org, await requestScan(org))
  const counted = await app.operateOn(org.orgId, async (tx) => {
    const [keys] = await tx.rows<{ count: number }>({
      text: 'select count(*)::int as count from match_key where org_id = $1',
      values: [org.orgId],
    })
    const ids = await tx.rows<{ id: string }>({
      text: 'select contact_id as id from contact where org_id = $1',
      values: [org.orgId],
    })
    const records = await readRecords(
      tx,
      contacts,
      ids.map(({ id }) => id),
    )
    const backlog = await tx.rows({
      text: 'select from match_key_backlog where org_id = $1',
      values: [org.orgId],
    })
    const due = records.flatMap(({ state }) => matchKeysOf('contact', state)).length
    return { keys: keys!.count, due, backlog: backlog.length }
  })
  expect(counted).toEqual({ keys: counted.due, due: expect.any(Number), backlog: 0 })
  expect(counted.due).toBeGreaterThan(2 * pairCount)
})

test('two processes that run the same scan propose each pair once', async () => {
  const { org, doubles } = await createDuplicatePairs(app)
  const scanId = await requestScan(org)
  await Promise.all([run(org, scanId), run(org, scanId, other.app.context)])
  expect(await proposedPairs(org)).toEqual(doubles.sort())
  expect(await readScan(org, scanId)).toMatchObject({
    status: 'succeeded',
    counts: { proposals_opened: pairCount, records_read: 2 * pairCount + singleCount },
  })
})

describe('permissions of scans', () => {
  test("another org's scan is not found", async () => {
    const { org } = await createDuplicatePairs(app)
    const stranger = await app.newOrg()
    const { status, body } = await stranger.get(`/duplicates/scans/${await requestScan(org)}`)
    expect([status, body.detail]).toEqual([404, 'No scan of this organization has this id'])
    expect((await stranger.get('/duplicates/scans')).body.data).toEqual([])
  })

  test.each([
    [['duplicates:write'], 'contacts:write'],
    [['duplicates:read', 'contacts:write'], 'duplicates:write'],
    [['contacts:*'], 'duplicates:write'],
  ])('a key with %j may not scan: it lacks %s', async (permissions, missing) => {
    const org = await app.newOrg()
    const key = await app.newKey(org.orgId, { permissions })
    const { status, body } = await key.post('/duplicates/scans', { entity_type: 'contact' })
    expect([status, body.detail]).toEqual([403, expect.stringContaining(missing)])
  })

  test('an API key sees the scans of the record types that it may read', async () => {
    const org = await app.newOrg()
    await createRecords(org, 'company', { name: 'Acme' })
    const scanId = await requestScan(org)
    const key = await app.newKey(org.orgId, { permissions: ['duplicates:read', 'companies:read'] })
    expect((await key.get(`/duplicates/scans/${scanId}`)).status).toBe(403)
    expect((await key.get('/duplicates/scans?entity_type=contact')).status).toBe(403)
    expect((await key.get('/duplicates/scans')).body.data).toEqual([])
  })
})
