import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { changeRecords } from '../../src/bulk-changes/jobs.ts'
import { convertField, indexField } from '../../src/fields/jobs.ts'
import { reassignRecords } from '../../src/owners/jobs.ts'
import type { AnyJob, JobRun } from '../../src/platform/jobs/job.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember } from '../support/members.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'api' })
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => app.close({ leavesJobs: true }))

/** Takes the waiting job of this name from the queue. Returns its payload; null: none waits. */
async function take({ name }: AnyJob): Promise<object | null> {
  const [row] = await runAsOwner<{ data: object }>(
    app.databaseUrl,
    `delete from pgboss.job_common where name = '${name}' and state < 'active' returning data`,
  )
  return row?.data ?? null
}

/** Runs the job as a worker does, while each look at the clock finds it a second later. Returns the number of runs. */
async function runsOf(job: AnyJob): Promise<number> {
  let now = performance.now()
  let runs = 0
  for (let payload = await take(job); payload !== null; payload = await take(job)) {
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000))
    const { signal } = new AbortController()
    const run = { payload, context: app.app.context, signal, outside: <Answer>(it: Promise<Answer>) => it }
    await job.run(run as JobRun<never>)
    clock.mockRestore()
    runs++
  }
  return runs
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
