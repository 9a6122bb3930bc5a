import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { pushPeople } from '../src/crm-sync/jobs/push.ts'
import { startTestApp, type TestApp, type TestClient, type TestOrg } from './app.ts'
import { connect, crmBase, ended, itemsOf, newContact, push, pushed } from './crm.ts'
import { merge } from './merges.ts'
import { EspoStandIn } from './stand-ins/espocrm.ts'

let app: TestApp
let espo: EspoStandIn
beforeAll(async () => {
  espo = await EspoStandIn.start()
  app = await startTestApp({ outboundAllowPrivate: true })
})
afterAll(async () => {
  await app.close()
  await espo.server.close()
})

const nobody = '0190a3c4-8b1e-7cc0-9a53-0f2f6f1c2d3e'

/** People of an org, each with an e-mail address. */
async function people(org: TestClient, count: number, more: (index: number) => object = () => ({})) {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const body = { last_name: `Person ${index}`, email: `p${index}@example.com`, ...more(index) }
    ids.push(await newContact(org, body))
  }
  return ids
}

const leadsOf = async (org: TestClient, connectionId: string) =>
  (await org.get(`${crmBase}/connections/${connectionId}/sandbox?limit=100`)).body.data as {
    record_key: string
    external_id: string
  }[]

const jobOf = async (org: TestClient, jobId: string) => (await org.get(`${crmBase}/jobs/${jobId}`)).body
const preview = async (org: TestClient, body: object) =>
  (await org.post(`${crmBase}/leads/previews`, body)).body.data

const eventsOf = async (org: TestClient, objectId: string) => {
  const { body } = await org.get('/events?limit=100')
  const events = body.data as { type: string; object_id: string; data: Record<string, unknown> | null }[]
  return events.filter(({ object_id }) => object_id === objectId).reverse()
}

/** An org whose EspoCRM takes `ms` before and after each step. */
async function newSlowOrg(ms: number): Promise<{ org: TestOrg; connection_id: string; espo: EspoStandIn }> {
  const slow = await EspoStandIn.start()
  slow.server.delayMs = () => ms
  const org = await app.newOrg()
  const connection_id = await connect(org, { provider: 'espocrm', credentials: slow.credentials })
  return { org, connection_id, espo: slow }
}

const begun = (standIn: EspoStandIn, count: number) =>
  vi.waitFor(() => expect(standIn.all().length).toBeGreaterThanOrEqual(count), {
    timeout: 20_000,
    interval: 2,
  })

describe('more people than the threshold', () => {
  test('are refused by the job, which pushes nobody, until that is confirmed', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    await people(org, 4)
    await org.patch(`${crmBase}/settings`, { threshold: 3 })
    expect(await preview(org, { connection_id })).toMatchObject({
      ...{ count: 4, threshold: 3, confirmation_required: true, would_create: 4, would_update: 0 },
    })
    for (const body of [{ connection_id }, { connection_id, large_population_confirmed: false }]) {
      const job = await pushed(org, body)
      expect(job).toMatchObject({
        ...{ status: 'refused', population: 4, threshold: 3, started_at: null, error: null },
        ...{ refusal: { reason: 'large_population', population: 4, threshold: 3 } },
        ...{ large_population_confirmed: false, counts: { processed: 0 } },
      })
      expect(job.finished_at).toBeTypeOf('number')
      expect(await itemsOf(org, job.job_id)).toEqual([])
    }
    expect(await leadsOf(org, connection_id)).toEqual([])
    const job = await pushed(org, { connection_id, large_population_confirmed: true })
    expect(job).toMatchObject({ status: 'succeeded', refusal: null, counts: { created: 4 } })
  })

  test('are as many as the job finds when it begins; exactly as many as the threshold are pushed', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    await people(org, 3)
    await org.patch(`${crmBase}/settings`, { threshold: 3 })
    expect(await preview(org, { connection_id })).toMatchObject({ count: 3, confirmation_required: false })
    expect(await pushed(org, { connection_id })).toMatchObject({ status: 'succeeded', population: 3 })
    await newContact(org, { email: 'one-more@example.com' })
    expect(await pushed(org, { connection_id })).toMatchObject({ status: 'refused', population: 4 })
    expect(await leadsOf(org, connection_id)).toHaveLength(3)
  })

  test('of contact_ids and of a filter count as well', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    const ids = await people(org, 3, () => ({ tags: ['vip'] }))
    await org.patch(`${crmBase}/settings`, { threshold: 2 })
    for (const population of [{ contact_ids: ids }, { filter: { tag: 'vip' } }])
      expect(await pushed(org, { connection_id, ...population })).toMatchObject({ status: 'refused' })
    const two = { contact_ids: [ids[0], ids[1], ids[1]] }
    expect(await pushed(org, { connection_id, ...two })).toMatchObject({
      population: 2,
      counts: { created: 2 },
    })
  })

  test('are never pushed while people are added, and each job stores whom it pushes', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    await people(org, 20)
    await org.patch(`${crmBase}/settings`, { threshold: 30 })
    let made = 20
    const adding = (async () => {
      for (; made < 60; made++) await newContact(org, { email: `late${made}@example.com` })
    })()
    const jobs = []
    while (made < 60) {
      const { count } = await preview(org, { connection_id })
      const job = await pushed(org, { connection_id })
      expect(job.population).toBeGreaterThanOrEqual(count)
      jobs.push(job)
    }
    await adding
    for (const { job_id, status, population, counts } of jobs) {
      const items = await itemsOf(org, job_id)
      expect(status).toBe(population > 30 ? 'refused' : 'succeeded')
      expect([items.length, counts.processed]).toEqual(population > 30 ? [0, 0] : [population, population])
    }
    expect((await leadsOf(org, connection_id)).length).toBeLessThanOrEqual(30)
    expect(await pushed(org, { connection_id })).toMatchObject({ status: 'refused', population: 60 })
  })
})

describe('what a body says', () => {
  const refused: [string, object][] = [
    ['a confirmation as text', { large_population_confirmed: 'true' }],
    ['a confirmation as a number', { large_population_confirmed: 1 }],
    ['a confirmation as null', { large_population_confirmed: null }],
    ['an unknown member', { contact_id: [nobody] }],
    ['an unknown filter', { filter: { emial: 'ada@example.com' } }],
    ['a filter of another kind', { filter: { limit: 10 } }],
    ['a stage that there is not', { filter: { lifecycle_stage: 'fan' } }],
    ['a filter that is none', { filter: 'vip' }],
    ['nobody', { contact_ids: [] }],
    ['too many', { contact_ids: Array.from({ length: 10_001 }, () => nobody) }],
    ['no id', { contact_ids: ['42'] }],
    ['contact_ids and a filter', { contact_ids: [nobody], filter: { tag: 'vip' } }],
  ]
  test.each(refused)('%s is a 422, and makes no job', async (_, body) => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    for (const kind of ['leads', 'contacts']) {
      const answer = await org.post(`${crmBase}/${kind}/push`, { connection_id, ...body })
      expect(answer.status, answer.text).toBe(422)
      if (!('large_population_confirmed' in body))
        expect((await org.post(`${crmBase}/${kind}/previews`, { connection_id, ...body })).status).toBe(422)
    }
    expect((await org.get(`${crmBase}/jobs`)).body.data).toEqual([])
  })

  test('a connection that there is not, or of another org, is a 404', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    for (const connection_id of [nobody, await connect(other)]) {
      for (const path of ['leads/push', 'contacts/push', 'leads/previews', 'contacts/previews'])
        expect((await org.post(`${crmBase}/${path}`, { connection_id })).status).toBe(404)
    }
    const connection_id = await connect(other)
    const jobId = await push(other, { connection_id })
    await ended(other, jobId)
    expect((await org.get(`${crmBase}/jobs/${jobId}`)).status).toBe(404)
    expect((await org.get(`${crmBase}/jobs/${jobId}/items`)).status).toBe(404)
    expect((await org.post(`${crmBase}/jobs/${jobId}/cancel`)).status).toBe(404)
    expect((await org.post(`${crmBase}/jobs/${jobId}/retry`)).status).toBe(404)
  })
})

describe('who is pushed', () => {
  test('contact_ids: those of others, archived ones and the same person twice are left out, and counted', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const connection_id = await connect(org)
    const [ada, eve, twin, gone] = await people(org, 4)
    const [stranger] = await people(other, 1)
    const unreachable = await newContact(org, { first_name: 'Nobody' })
    await org.delete(`/contacts/${gone}`)
    await merge(org, 'contact', ada!, twin!)
    const contact_ids = [ada, twin, eve, gone, stranger, unreachable, nobody]
    expect(await preview(org, { connection_id, contact_ids })).toMatchObject({
      ...{ count: 2, would_create: 2 },
      skipped: { archived: 1, no_email_or_phone: 1, not_found: 2, same_person: 1 },
    })
    const job = await pushed(org, { connection_id, contact_ids })
    expect(job).toMatchObject({ status: 'succeeded', population: 2, counts: { created: 2 } })
    expect((await itemsOf(org, job.job_id)).map((item) => item.contact_id)).toEqual(
      [ada, eve].sort().reverse(),
    )
    expect((await leadsOf(org, connection_id)).map((lead) => lead.record_key).sort()).toEqual(
      [ada, eve].sort(),
    )
    const others = await other.get('/contacts')
    expect(others.body.data[0].external_ids).toEqual({})
  })

  test('a filter: what GET /contacts finds by it, and a stage', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    const [ada, eve] = await people(org, 3, (index) => ({
      ...{ tags: index === 0 ? ['vip', 'x'] : ['x'], lifecycle_stage: index === 1 ? 'customer' : 'lead' },
      ...{ first_name: index === 2 ? 'Zoë' : 'Other' },
    }))
    const cases: [object, number][] = [
      [{ tag: 'vip' }, 1],
      [{ tag: 'x' }, 3],
      [{ lifecycle_stage: 'customer' }, 1],
      [{ tag: 'x', lifecycle_stage: 'lead' }, 2],
      [{ tag: 'vip', lifecycle_stage: 'customer' }, 0],
      [{ email: 'P1@example.com' }, 1],
      [{ q: 'zoe' }, 1],
      [{}, 3],
    ]
    for (const [filter, count] of cases)
      expect((await preview(org, { connection_id, filter })).count, JSON.stringify(filter)).toBe(count)
    const both = { filter: { tag: 'vip' } }
    expect((await pushed(org, { connection_id, ...both })).population).toBe(1)
    const stage = { filter: { lifecycle_stage: 'customer' } }
    expect((await pushed(org, { connection_id, ...stage })).population).toBe(1)
    expect((await leadsOf(org, connection_id)).map((lead) => lead.record_key).sort()).toEqual(
      [ada, eve].sort(),
    )
  })

  test('nobody: the job succeeds with a population of 0', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    expect(await pushed(org, { connection_id })).toMatchObject({ status: 'succeeded', population: 0 })
  })

  test('a preview writes nothing', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    const [ada] = await people(org, 1)
    const before = await org.get('/events?limit=100')
    await preview(org, { connection_id })
    await preview(org, { connection_id, contact_ids: [ada] })
    expect((await org.get('/events?limit=100')).body.data).toEqual(before.body.data)
    expect(await leadsOf(org, connection_id)).toEqual([])
    expect((await org.get(`${crmBase}/jobs`)).body.data).toEqual([])
  })

  test('a key of test mode reaches the sandbox alone, whatever the connection, and leaves contacts alone', async () => {
    const { org, connection_id, espo } = await newSlowOrg(0)
    const [ada] = await people(org, 1)
    const tester = await app.newKey(org.orgId, { mode: 'test' })
    const job = await pushed(tester, { connection_id })
    expect(job).toMatchObject({ mode: 'test', status: 'succeeded', counts: { created: 1 } })
    expect(espo.server.requests).toEqual([])
    expect(await leadsOf(org, connection_id)).toMatchObject([{ record_key: ada, mode: 'test' }])
    expect((await org.get(`/contacts/${ada}`)).body.data.external_ids).toEqual({})
    // What the sandbox knows says nothing of the CRM.
    expect(await preview(org, { connection_id })).toMatchObject({ would_create: 1, would_update: 0 })
    await espo.server.close()
  })
})

describe('merged people', () => {
  test('are one Lead, as the survivor, and after an undo each has their own again', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    const [ada, twin] = await people(org, 2)
    await pushed(org, { connection_id, contact_ids: [ada] })
    const [{ external_id: adasLead } = { external_id: '' }] = await leadsOf(org, connection_id)
    const [{ merge_id }] = (await merge(org, 'contact', twin!, ada!)) as [{ merge_id: string }]
    const job = await pushed(org, { connection_id })
    expect(job).toMatchObject({ population: 1, counts: { updated: 1, created: 0 } })
    expect(await itemsOf(org, job.job_id)).toMatchObject([{ contact_id: twin, external_id: adasLead }])
    expect(await leadsOf(org, connection_id)).toHaveLength(1)
    expect((await org.post(`/duplicates/undo-merge/${merge_id}`)).status).toBe(200)
    const after = await pushed(org, { connection_id })
    expect(after).toMatchObject({ population: 2, counts: { failed: 0, created: 1 } })
    const leads = await leadsOf(org, connection_id)
    expect(leads.map(({ record_key }) => record_key).sort()).toEqual([ada, twin].sort())
    const items = await itemsOf(org, after.job_id)
    expect(items.find(({ contact_id }) => contact_id === ada)!.external_id).toBe(adasLead)
    expect(items.find(({ contact_id }) => contact_id === twin)!.external_id).not.toBe(adasLead)
  })
})

describe('cancel', () => {
  test('a job that runs ends before all of its people; a retry pushes those that are left', async () => {
    const { org, connection_id, espo } = await newSlowOrg(15)
    await people(org, 80)
    const jobId = await push(org, { connection_id })
    await begun(espo, 3)
    const answer = await org.post(`${crmBase}/jobs/${jobId}/cancel`)
    expect(answer.status, answer.text).toBe(200)
    const job = await ended(org, jobId)
    expect(job).toMatchObject({ status: 'canceled', population: 80, error: null })
    expect(job.counts.processed).toBeLessThan(80)
    expect(job.counts.created).toBe(espo.all().length)
    const items = await itemsOf(org, jobId)
    expect(items.filter(({ outcome }) => outcome === null)).toHaveLength(80 - job.counts.processed)
    expect((await org.post(`${crmBase}/jobs/${jobId}/cancel`)).body.status).toBe('canceled')
    espo.server.delayMs = () => 0
    const retried = await org.post(`${crmBase}/jobs/${jobId}/retry`)
    expect(retried.status, retried.text).toBe(202)
    const rest = await ended(org, retried.body.job_id)
    expect(rest).toMatchObject({ status: 'succeeded', population: 80 - job.counts.processed })
    expect([...espo.perKey().values()]).toEqual(Array.from({ length: 80 }, () => 1))
    expect((await org.post(`${crmBase}/jobs/${retried.body.job_id}/cancel`)).status).toBe(409)
    expect((await org.post(`${crmBase}/jobs/${retried.body.job_id}/retry`)).status).toBe(409)
    await espo.server.close()
  })

  test('the connection is deleted: its job is canceled, and nothing more is sent', async () => {
    const { org, connection_id, espo } = await newSlowOrg(15)
    await people(org, 80)
    const jobs = [await push(org, { connection_id }), await push(org, { connection_id }, 'contacts')]
    await begun(espo, 3)
    expect((await org.delete(`${crmBase}/connections/${connection_id}`)).status).toBe(204)
    for (const jobId of jobs)
      expect(await ended(org, jobId)).toMatchObject({ status: 'canceled', error: null })
    const sent = espo.server.requests.length
    expect(espo.all().length).toBeLessThan(80)
    expect((await jobOf(org, jobs[0]!)).counts.created).toBe(espo.all().length)
    const retried = await org.post(`${crmBase}/jobs/${jobs[0]}/retry`)
    expect(retried.status, retried.text).toBe(404)
    expect(espo.server.requests.length).toBe(sent)
    await espo.server.close()
  })
})

test('a job that waits for a CRM that is away ends at once when it is canceled, or its connection is deleted', async () => {
  // What it waited for comes later, and finds nothing to do.
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
        async () => expect((await jobOf(org, jobId)).error).toContain('goes on by itself'),
        10_000,
      )
      expect((await cancel(org, connection_id, jobId)).status).toBeLessThan(300)
      expect(await ended(org, jobId, 5_000)).toMatchObject({ status: 'canceled', error: null })
      expect((await eventsOf(org, jobId)).at(-1)).toMatchObject({ data: { status: 'canceled' } })
    }
    expect(away.all()).toEqual([])
  } finally {
    await waiting.close({ leavesJobs: true })
    await away.server.close()
  }
})

test('a job that breaks off again and again fails, even if it never began', async () => {
  const api = await startTestApp({ role: 'api' })
  try {
    const org = await api.newOrg()
    const connection_id = await connect(org)
    const jobId = await push(org, { connection_id })
    const payload = { org_id: org.orgId, job_id: jobId, connection_id }
    await pushPeople.abandoned!({ payload, context: api.app.context, signal: AbortSignal.abort() })
    const failed = { status: 'failed', error: expect.stringContaining('broke off again and again') }
    expect(await jobOf(org, jobId)).toMatchObject(failed)
    expect((await eventsOf(org, jobId)).at(-1)).toMatchObject({ data: { status: 'failed' } })
  } finally {
    await api.close()
  }
})

test('a job that no worker has begun is canceled on the spot, and says so once', async () => {
  const api = await startTestApp({ role: 'api' })
  try {
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
  } finally {
    await api.close()
  }
})

test('a retry pushes those that failed, and them alone', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  await people(org, 2)
  const bad = await newContact(org, { last_name: 'x'.repeat(81), email: 'bad@example.com' })
  const job = await pushed(org, { connection_id })
  expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 2, failed: 1 } })
  const [failed] = await itemsOf(org, job.job_id, '&outcome=failed')
  expect(failed).toMatchObject({ contact_id: bad, external_id: null, error: expect.stringContaining('80') })
  // Nothing was mended: it fails again, of a population of one.
  const again = await org.post(`${crmBase}/jobs/${job.job_id}/retry`)
  expect(await ended(org, again.body.job_id)).toMatchObject({ status: 'failed', population: 1, error: null })
  await org.patch(`/contacts/${bad}`, { last_name: 'Mended' })
  const mended = await org.post(`${crmBase}/jobs/${again.body.job_id}/retry`)
  expect(await ended(org, mended.body.job_id)).toMatchObject({ status: 'succeeded', counts: { created: 1 } })
  // What the first job says of it stays.
  expect(await itemsOf(org, job.job_id, '&outcome=failed')).toHaveLength(1)
  expect(await leadsOf(org, connection_id)).toHaveLength(3)
})

test('the people of a job, and the jobs, are listed by pages and by what became of them', async () => {
  const org = await app.newOrg()
  const [connection_id, other] = [await connect(org), await connect(org)]
  const ids = await people(org, 5)
  const bad = await newContact(org, { last_name: 'x'.repeat(81), email: 'bad@example.com' })
  const job = await pushed(org, { connection_id })
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
  const fine = await pushed(org, { connection_id: other, contact_ids: ids })
  const listed = async (query: string) =>
    (await org.get(`${crmBase}/jobs?${query}`)).body.data.map((each: { job_id: string }) => each.job_id)
  expect(await listed('')).toEqual([fine.job_id, job.job_id])
  expect(await listed(`connection_id=${connection_id}`)).toEqual([job.job_id])
  expect(await listed('status=succeeded')).toEqual([fine.job_id])
  expect(await listed('status=running')).toEqual([])
})

test('events say when a job was made and how it ended, and hold nothing personal', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  await people(org, 1)
  const job = await pushed(org, { connection_id })
  expect(await eventsOf(org, job.job_id)).toMatchObject([
    { type: 'crm_job.created', data: { kind: 'leads_push', connection_id } },
    { type: 'crm_job.finished', data: { status: 'succeeded', processed: 1, failed: 0 } },
  ])
  await org.patch(`${crmBase}/settings`, { threshold: 0 })
  const refused = await pushed(org, { connection_id })
  expect(await eventsOf(org, refused.job_id)).toMatchObject([
    { type: 'crm_job.created' },
    { type: 'crm_job.finished', data: { status: 'refused' } },
  ])
  await org.delete(`${crmBase}/connections/${connection_id}`)
  const types = (await eventsOf(org, connection_id)).map(({ type }) => type)
  expect(types).toEqual(['crm_connection.created', 'crm_connection.deleted'])
})
