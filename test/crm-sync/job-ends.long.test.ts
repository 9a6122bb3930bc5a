import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { pushPeople } from '../../src/crm-sync/jobs/push.ts'
import { sweepOnce } from '../../src/crm-sync/jobs/sweep.ts'
import { system } from '../../src/platform/db/system.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import {
  connect,
  crmBase,
  eventsOf,
  holdAfter,
  itemsOf,
  jobOf,
  leadsOf,
  newContact,
  newSlowOrg,
  people,
  push,
  pushAndWait,
  untilJobEnds,
  untilRequests,
} from '../support/crm-sync/crm.ts'
import { runAsOwner } from '../support/database.ts'
import { abandonDirectly } from '../support/jobs/run-directly.ts'
import { patience } from '../support/patience.ts'
import { EspoStandIn } from '../support/stand-ins/espocrm.ts'

let app: TestApp
/** This app has no worker, so its jobs stay queued. */
let api: TestApp
beforeAll(async () => {
  app = await startTestApp({ outboundAllowPrivate: true })
  api = await startTestApp({ role: 'api' })
})
afterAll(async () => {
  await app.close()
  await api.close()
})

describe('canceled jobs', () => {
  test('canceling a running job stops the push before its last person, and a retry pushes the rest', async () => {
    const { org, connection_id, espo } = await newSlowOrg(app, 15)
    await people(org, 80)
    const held = holdAfter(espo, 3)
    const jobId = await push(org, { connection_id })
    await untilRequests(espo, 3)
    const answer = await org.post(`${crmBase}/jobs/${jobId}/cancel`)
    held.release()
    expect(answer.body.cancel_requested).toBe(true)
    expect(answer.status, answer.text).toBe(200)
    const job = await untilJobEnds(org, jobId)
    expect(job).toMatchObject({ status: 'canceled', population: 80, error: null })
    expect(job.counts.processed).toBeLessThan(80)
    expect(job.counts.created).toBe(espo.all().length)
    const items = await itemsOf(org, jobId)
    expect(items.filter(({ outcome }) => outcome === null)).toHaveLength(80 - job.counts.processed)
    expect((await org.post(`${crmBase}/jobs/${jobId}/cancel`)).body.status).toBe('canceled')
    espo.server.delayMs = () => 0
    const retried = await org.post(`${crmBase}/jobs/${jobId}/retry`)
    expect(retried.status, retried.text).toBe(202)
    const rest = await untilJobEnds(org, retried.body.job_id)
    expect(rest).toMatchObject({ status: 'succeeded', population: 80 - job.counts.processed })
    expect([...espo.perKey().values()]).toEqual(Array.from({ length: 80 }, () => 1))
    expect((await org.post(`${crmBase}/jobs/${retried.body.job_id}/cancel`)).status).toBe(409)
    expect((await org.post(`${crmBase}/jobs/${retried.body.job_id}/retry`)).status).toBe(409)
    await espo.server.close()
  })

  test('deleting a connection cancels its job, which sends no more requests', async () => {
    const { org, connection_id, espo } = await newSlowOrg(app, 15)
    await people(org, 80)
    const held = holdAfter(espo, 3)
    const jobs = [await push(org, { connection_id }), await push(org, { connection_id }, 'contacts')]
    await untilRequests(espo, 3)
    expect((await org.delete(`${crmBase}/connections/${connection_id}`)).status).toBe(204)
    held.release()
    for (const jobId of jobs)
      expect(await untilJobEnds(org, jobId)).toMatchObject({ status: 'canceled', error: null })
    const sent = espo.server.requests.length
    expect(espo.all().length).toBeLessThan(80)
    expect((await jobOf(org, jobs[0]!)).counts.created).toBe(espo.all().length)
    const retried = await org.post(`${crmBase}/jobs/${jobs[0]}/retry`)
    expect(retried.status, retried.text).toBe(404)
    expect(espo.server.requests.length).toBe(sent)
    await espo.server.close()
  })
})

test('a job that waits for an unreachable CRM ends immediately if it is canceled or its connection is deleted', async () => {
  // The delayed retry of the canceled job still runs later, but does nothing.
  const waiting = await startTestApp({ outboundAllowPrivate: true })
  const away = await EspoStandIn.start()
  try {
    const cancels: ((org: TestOrg, connectionId: string, jobId: string) => Promise<{ status: number }>)[] = [
      (org, _, jobId) => org.post(`${crmBase}/jobs/${jobId}/cancel`),
      (org, connectionId) => org.delete(`${crmBase}/connections/${connectionId}`),
    ]
    for (const cancel of cancels) {
      const org = await waiting.newOrg()
      const connection_id = await connect(org, { provider: 'espocrm', credentials: away.credentials })
      await people(org, 1)
      const said = { status: 503, body: '', headers: { 'retry-after': '600' } }
      away.refusals.push({ on: /^POST/, said })
      const jobId = await push(org, { connection_id })
      await vi.waitFor(
        async () => expect((await jobOf(org, jobId)).error.message).toContain('tries again automatically'),
        patience,
      )
      expect((await cancel(org, connection_id, jobId)).status).toBeLessThan(300)
      expect(await untilJobEnds(org, jobId)).toMatchObject({ status: 'canceled', error: null })
      expect((await eventsOf(org, jobId)).at(-1)).toMatchObject({ data: { status: 'canceled' } })
    }
    expect(away.all()).toEqual([])
  } finally {
    await waiting.close({ leavesJobs: true })
    await away.server.close()
  }
})

test('a job that the job engine abandons fails, even if the push never began', async () => {
  const org = await api.newOrg()
  const connection_id = await connect(org)
  const jobId = await push(org, { connection_id })
  const payload = { org_id: org.orgId, job_id: jobId, connection_id }
  await abandonDirectly(pushPeople, { payload, context: api.app.context, signal: AbortSignal.abort() })
  const failed = {
    status: 'failed',
    error: { message: expect.stringContaining('was interrupted several times') },
  }
  expect(await jobOf(org, jobId)).toMatchObject(failed)
  expect((await eventsOf(org, jobId)).at(-1)).toMatchObject({ data: { status: 'failed' } })
})

test('canceling a queued job ends the job immediately, and records one event', async () => {
  const org = await api.newOrg()
  const connection_id = await connect(org)
  await people(org, 1)
  const jobId = await push(org, { connection_id })
  expect(await jobOf(org, jobId)).toMatchObject({ status: 'queued', population: null, started_at: null })
  expect((await org.post(`${crmBase}/jobs/${jobId}/retry`)).status).toBe(409)
  const canceled = await org.post(`${crmBase}/jobs/${jobId}/cancel`)
  expect(canceled.body).toMatchObject({ status: 'canceled', population: null })
  await org.post(`${crmBase}/jobs/${jobId}/cancel`)
  expect((await eventsOf(org, jobId)).map(({ type }) => type)).toEqual([
    'crm_job.created',
    'crm_job.finished',
  ])
  expect((await org.post(`${crmBase}/jobs/${jobId}/retry`)).status).toBe(409)
  const other = await push(org, { connection_id })
  await org.delete(`${crmBase}/connections/${connection_id}`)
  expect(await jobOf(org, other)).toMatchObject({ status: 'canceled' })
  expect((await eventsOf(org, other)).map(({ type }) => type)).toEqual([
    'crm_job.created',
    'crm_job.finished',
  ])
})

test('a retry pushes only the people whose push failed', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  await people(org, 2)
  const bad = await newContact(org, { last_name: 'x'.repeat(81), email: 'bad@example.com' })
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 2, failed: 1 } })
  const [failed] = await itemsOf(org, job.job_id, '&outcome=failed')
  expect(failed).toMatchObject({
    contact_id: bad,
    external_id: null,
    error: { message: expect.stringContaining('80') },
  })
  // The CRM refuses the person again.
  const again = await org.post(`${crmBase}/jobs/${job.job_id}/retry`)
  expect(await untilJobEnds(org, again.body.job_id)).toMatchObject({
    status: 'failed',
    population: 1,
    error: null,
  })
  await org.patch(`/contacts/${bad}`, { last_name: 'Mended' })
  const mended = await org.post(`${crmBase}/jobs/${again.body.job_id}/retry`)
  expect(await untilJobEnds(org, mended.body.job_id)).toMatchObject({
    status: 'succeeded',
    counts: { created: 1 },
  })
  expect(await itemsOf(org, job.job_id, '&outcome=failed')).toHaveLength(1)
  expect(await leadsOf(org, connection_id)).toHaveLength(3)
})

test('jobs and their people are listed in pages, and filtered by status and outcome', async () => {
  const org = await app.newOrg()
  const [connection_id, other] = [await connect(org), await connect(org)]
  const ids = await people(org, 5)
  const bad = await newContact(org, { last_name: 'x'.repeat(81), email: 'bad@example.com' })
  const job = await pushAndWait(org, { connection_id })
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await org.get(`${crmBase}/jobs/${job.job_id}/items?limit=4${cursor}`)
    expect(body.pagination.total).toBe(6)
    seen.push(...body.data.map((item: { contact_id: string }) => item.contact_id))
    if (body.pagination.next_cursor === null) break
    cursor = `&cursor=${body.pagination.next_cursor}`
  }
  expect(seen.sort()).toEqual([...ids, bad].sort())
  expect(await itemsOf(org, job.job_id, '&outcome=created')).toHaveLength(5)
  expect(await itemsOf(org, job.job_id, '&outcome=skipped')).toEqual([])
  expect((await org.get(`${crmBase}/jobs/${job.job_id}/items?outcome=lost`)).status).toBe(422)
  const fine = await pushAndWait(org, { connection_id: other, contact_ids: ids })
  const listed = async (query: string) =>
    (await org.get(`${crmBase}/jobs?${query}`)).body.data.map((each: { job_id: string }) => each.job_id)
  expect(await listed('')).toEqual([fine.job_id, job.job_id])
  expect(await listed(`connection_id=${connection_id}`)).toEqual([job.job_id])
  expect(await listed('status=succeeded')).toEqual([fine.job_id])
  expect(await listed('status=running')).toEqual([])
})

test('events record the start and the end of a job, without personal data', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  await people(org, 1)
  const job = await pushAndWait(org, { connection_id })
  expect(await eventsOf(org, job.job_id)).toMatchObject([
    { type: 'crm_job.created', data: { kind: 'leads_push', connection_id } },
    { type: 'crm_job.finished', data: { status: 'succeeded', processed: 1, failed: 0 } },
  ])
  await org.patch(`${crmBase}/settings`, { threshold: 0 })
  const refused = await pushAndWait(org, { connection_id })
  expect(await eventsOf(org, refused.job_id)).toMatchObject([
    { type: 'crm_job.created' },
    { type: 'crm_job.finished', data: { status: 'refused' } },
  ])
  await org.delete(`${crmBase}/connections/${connection_id}`)
  const types = (await eventsOf(org, connection_id)).map(({ type }) => type)
  expect(types).toEqual(['crm_connection.created', 'crm_connection.deleted'])
})

test('a job is deleted 30 days after its end with all its people, unless a queued job retries it', async () => {
  const org = await api.newOrg()
  const connection_id = await connect(org)
  const [old, retried] = [await push(org, { connection_id }), await push(org, { connection_id })]
  const ended = `update crm_job set status = 'failed', failed = 1, population = 6000, finished_at = now() where job_id = any($1)`
  await runAsOwner(api.databaseUrl, ended, [[old, retried]])
  const text = `insert into crm_job_item (org_id, job_id, contact_id)
    select $1, job_id, gen_random_uuid() from unnest($2::uuid[]) as j (job_id), generate_series(1, 6000)`
  await runAsOwner(api.databaseUrl, text, [org.orgId, [old, retried]])
  const retry = (await org.post(`${crmBase}/jobs/${retried}/retry`)).body.job_id
  const { context } = api.app
  const sweepAfter = (days: number) =>
    sweepOnce(system(context.database), 30, { now: Date.now() + days * 86_400_000 })
  const itemsLeft = () =>
    runAsOwner(
      api.databaseUrl,
      'select job_id, count(*)::int as n from crm_job_item where org_id = $1 group by 1 order by 1',
      [org.orgId],
    )
  await sweepAfter(29)
  expect(await itemsLeft()).toEqual([
    { job_id: old, n: 6000 },
    { job_id: retried, n: 6000 },
  ])
  await sweepAfter(31)
  expect((await org.get(`${crmBase}/jobs/${old}`)).status).toBe(404)
  expect(await itemsLeft()).toEqual([{ job_id: retried, n: 6000 }])
  await runAsOwner(api.databaseUrl, `update crm_job set status = 'running' where job_id = $1`, [retry])
  await sweepAfter(31)
  expect(await itemsLeft()).toEqual([])
  expect((await org.get(`${crmBase}/jobs`)).body.data).toMatchObject([{ job_id: retry }])
})
