import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { readPeople } from '../../src/crm-sync/people.ts'
import type { OrgTx } from '../../src/platform/db/org-tx.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

import {
  connect,
  crmBase,
  holdAfter,
  itemsOf,
  leadsOf,
  newContact,
  newSlowOrg,
  people,
  preview,
  push,
  pushAndWait,
  untilJobEnds,
  untilRequests,
} from '../support/crm-sync/crm.ts'
import { merge } from '../support/merges.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ outboundAllowPrivate: true })
})
afterAll(() => app.close())

const nobody = '0190a3c4-8b1e-7cc0-9a53-0f2f6f1c2d3e'

describe('the confirmation threshold of pushes', () => {
  test('a push of more people than the confirmation threshold is refused until large_population_confirmed is true', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    await people(org, 4)
    await org.patch(`${crmBase}/settings`, { threshold: 3 })
    expect(await preview(org, { connection_id })).toMatchObject({
      ...{ count: 4, threshold: 3, confirmation_required: true, would_create: 4, would_update: 0 },
    })
    for (const body of [{ connection_id }, { connection_id, large_population_confirmed: false }]) {
      const job = await pushAndWait(org, body)
      expect(job).toMatchObject({
        ...{ status: 'refused', population: 4, threshold: 3, started_at: null, error: null },
        ...{ refusal: { reason: 'large_population', population: 4, threshold: 3 } },
        ...{ large_population_confirmed: false, counts: { processed: 0 } },
      })
      expect(job.finished_at).toBeTypeOf('number')
      expect(await itemsOf(org, job.job_id)).toEqual([])
    }
    expect(await leadsOf(org, connection_id)).toEqual([])
    const job = await pushAndWait(org, { connection_id, large_population_confirmed: true })
    expect(job).toMatchObject({ status: 'succeeded', refusal: null, counts: { created: 4 } })
  })

  test('a job with as many people as the confirmation threshold pushes them, while a job with one more person is refused', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    await people(org, 3)
    await org.patch(`${crmBase}/settings`, { threshold: 3 })
    expect(await preview(org, { connection_id })).toMatchObject({ count: 3, confirmation_required: false })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded', population: 3 })
    await newContact(org, { email: 'one-more@example.com' })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'refused', population: 4 })
    expect(await leadsOf(org, connection_id)).toHaveLength(3)
  })

  test('the confirmation threshold also applies to pushes with contact_ids and filters', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    const ids = await people(org, 3, () => ({ tags: ['vip'] }))
    await org.patch(`${crmBase}/settings`, { threshold: 2 })
    for (const population of [{ contact_ids: ids }, { filter: { tag: 'vip' } }])
      expect(await pushAndWait(org, { connection_id, ...population })).toMatchObject({ status: 'refused' })
    const two = { contact_ids: [ids[0], ids[1], ids[1]] }
    expect(await pushAndWait(org, { connection_id, ...two })).toMatchObject({
      population: 2,
      counts: { created: 2 },
    })
  })

  test('while contacts are added, each job pushes at most as many people as the confirmation threshold', async () => {
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
      const job = await pushAndWait(org, { connection_id })
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
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'refused', population: 60 })
  })
})

describe('invalid requests', () => {
  const refused: [string, object][] = [
    ['a confirmation as text', { large_population_confirmed: 'true' }],
    ['a confirmation as a number', { large_population_confirmed: 1 }],
    ['a confirmation as null', { large_population_confirmed: null }],
    ['an unknown field', { contact_id: [nobody] }],
    ['an unknown filter', { filter: { emial: 'ada@example.com' } }],
    ['a filter of another kind', { filter: { limit: 10 } }],
    ['a stage that there is not', { filter: { lifecycle_stage: 'fan' } }],
    ['a filter that is none', { filter: 'vip' }],
    ['nobody', { contact_ids: [] }],
    ['too many', { contact_ids: Array.from({ length: 10_001 }, () => nobody) }],
    ['no id', { contact_ids: ['42'] }],
    ['contact_ids and a filter', { contact_ids: [nobody], filter: { tag: 'vip' } }],
  ]
  test.each(refused)('a request for a push with %s gets a 422, and creates no job', async (_, body) => {
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

  test('a push over an unknown connection, or over a connection of another organization, gets a 404', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    for (const connection_id of [nobody, await connect(other)]) {
      for (const path of ['leads/push', 'contacts/push', 'leads/previews', 'contacts/previews'])
        expect((await org.post(`${crmBase}/${path}`, { connection_id })).status).toBe(404)
    }
    const connection_id = await connect(other)
    const jobId = await push(other, { connection_id })
    await untilJobEnds(other, jobId)
    expect((await org.get(`${crmBase}/jobs/${jobId}`)).status).toBe(404)
    expect((await org.get(`${crmBase}/jobs/${jobId}/items`)).status).toBe(404)
    expect((await org.post(`${crmBase}/jobs/${jobId}/cancel`)).status).toBe(404)
    expect((await org.post(`${crmBase}/jobs/${jobId}/retry`)).status).toBe(404)
  })
})

describe('populations', () => {
  test('the population of a job leaves out unknown, archived and repeated contact_ids, and counts them', async () => {
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
    const job = await pushAndWait(org, { connection_id, contact_ids })
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

  test('the population of a job equals the result of GET /contacts with the same filter or lifecycle stage', async () => {
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
    expect((await pushAndWait(org, { connection_id, ...both })).population).toBe(1)
    const stage = { filter: { lifecycle_stage: 'customer' } }
    expect((await pushAndWait(org, { connection_id, ...stage })).population).toBe(1)
    expect((await leadsOf(org, connection_id)).map((lead) => lead.record_key).sort()).toEqual(
      [ada, eve].sort(),
    )
  })

  test('a job without any people succeeds with a population of 0', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded', population: 0 })
  })

  test('the population of a job is shown by a preview, which writes nothing', async () => {
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

  test('a job of test mode pushes to the sandbox only, and changes no contact', async () => {
    const { org, connection_id, espo } = await newSlowOrg(app, 0)
    const [ada] = await people(org, 1)
    const tester = await app.newKey(org.orgId, { mode: 'test' })
    const job = await pushAndWait(tester, { connection_id })
    expect(job).toMatchObject({ mode: 'test', status: 'succeeded', counts: { created: 1 } })
    expect(espo.server.requests).toEqual([])
    expect(await leadsOf(org, connection_id)).toMatchObject([{ record_key: ada, mode: 'test' }])
    expect((await org.get(`/contacts/${ada}`)).body.data.external_ids).toEqual({})
    // A link to a record of the sandbox does not count for the CRM.
    expect(await preview(org, { connection_id })).toMatchObject({ would_create: 1, would_update: 0 })
    await espo.server.close()
  })
})

describe('merges', () => {
  test('merged contacts have only the Lead of the survivor, and after an undo each contact has its own Lead again', async () => {
    const org = await app.newOrg()
    const connection_id = await connect(org)
    const [ada, twin] = await people(org, 2)
    await pushAndWait(org, { connection_id, contact_ids: [ada] })
    const [{ external_id: adasLead } = { external_id: '' }] = await leadsOf(org, connection_id)
    const [{ merge_id }] = (await merge(org, 'contact', twin!, ada!)) as [{ merge_id: string }]
    const job = await pushAndWait(org, { connection_id })
    expect(job).toMatchObject({ population: 1, counts: { updated: 1, created: 0 } })
    expect(await itemsOf(org, job.job_id)).toMatchObject([{ contact_id: twin, external_id: adasLead }])
    expect(await leadsOf(org, connection_id)).toHaveLength(1)
    expect((await org.post(`/duplicates/undo-merge/${merge_id}`)).status).toBe(200)
    const after = await pushAndWait(org, { connection_id })
    expect(after).toMatchObject({ population: 2, counts: { failed: 0, created: 1 } })
    const leads = await leadsOf(org, connection_id)
    expect(leads.map(({ record_key }) => record_key).sort()).toEqual([ada, twin].sort())
    const items = await itemsOf(org, after.job_id)
    expect(items.find(({ contact_id }) => contact_id === ada)!.external_id).toBe(adasLead)
    expect(items.find(({ contact_id }) => contact_id === twin)!.external_id).not.toBe(adasLead)
  })

  test('two contacts that are merged while the job reads its people are still pushed', async () => {
    const org = await app.newOrg()
    const [ada, twin] = await people(org, 2)
    let isFirst = true
    const read = await app.app.context.database.org(org.orgId).read((tx) => {
      const rows = async (query: Parameters<typeof tx.rows>[0]) => {
        const found = await tx.rows(query)
        if (isFirst) {
          isFirst = false
          await merge(org, 'contact', twin!, ada!)
        }
        return found
      }
      return readPeople({ rows, orgId: org.orgId } as unknown as OrgTx, [ada!])
    })
    expect(read.get(ada!)).toMatchObject({ isActive: true, person: { contact_id: twin } })
  })

  test('two contacts that are merged after the job passed the survivor are still pushed', async () => {
    const { org, connection_id, espo } = await newSlowOrg(app, 2)
    // The job pushes a chunk of 60 people before it reads the next chunk.
    const [ada] = await people(org, 66)
    const late = await newContact(org, { last_name: 'Late', email: 'late@example.com', city: 'Paris' })
    const held = holdAfter(espo, 2)
    const jobId = await push(org, { connection_id })
    await untilRequests(espo, 2)
    await merge(org, 'contact', ada!, late)
    held.release()
    const job = await untilJobEnds(org, jobId)
    expect(job).toMatchObject({ status: 'succeeded', counts: { created: 66, failed: 0 } })
    expect(espo.all().find(({ crosswalkId }) => crosswalkId === ada)).toMatchObject({ addressCity: 'Paris' })
    expect(espo.perKey().has(late)).toBe(false)
    await espo.server.close()
  })
})
