import { describe, expect, test, vi } from 'vitest'
import { crmBase, itemsOf, newContact, push, pushAndWait, untilJobEnds } from '../support/crm-sync/crm.ts'
import { useEspo } from '../support/crm-sync/espocrm.ts'
import { patience } from '../support/patience.ts'
import type { EspoStandIn } from '../support/stand-ins/espocrm.ts'

const server = useEspo()

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', company_name: 'Engines' }
const asked = (espo: EspoStandIn) => espo.server.requests.map(({ method, path }) => `${method} ${path}`)

test('a push creates one Lead in EspoCRM for each person, and later pushes update it', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  const contactId = await newContact(org, {
    ...ada,
    phone: '+14155550123',
    city: 'London',
    job_title: 'Countess',
  })
  expect(await pushAndWait(org, { connection_id })).toMatchObject({
    status: 'succeeded',
    counts: { created: 1 },
  })
  const [lead] = espo.all()
  expect(lead).toMatchObject({
    ...{
      firstName: 'Ada',
      lastName: 'Lovelace',
      emailAddress: 'ada@example.com',
      phoneNumber: '+14155550123',
    },
    ...{ accountName: 'Engines', title: 'Countess', addressCity: 'London', crosswalkId: contactId },
  })
  const { body } = await org.get(`/contacts/${contactId}`)
  expect(body.data.external_ids).toEqual({ espocrm_lead: lead!.id })
  await org.patch(`/contacts/${contactId}`, { city: 'Paris' })
  const before = asked(espo).length
  expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { updated: 1 } })
  expect(
    asked(espo)
      .slice(before)
      .filter((each) => /Lead/.test(each)),
  ).toEqual(['GET /api/v1/Lead', `PUT /api/v1/Lead/${lead!.id}`])
  expect(espo.all()).toMatchObject([{ addressCity: 'Paris' }])
  for (const { headers } of espo.server.requests) expect(headers['x-api-key']).toBe(espo.apiKey)
})

test('a push of contacts creates Contacts with their own fields in EspoCRM, and no Leads', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  await newContact(org, ada)
  expect(await pushAndWait(org, { connection_id }, 'contacts')).toMatchObject({ counts: { created: 1 } })
  expect(espo.all('Contact')).toMatchObject([{ lastName: 'Lovelace' }])
  expect(espo.all('Lead')).toEqual([])
})

test('a Lead that somebody deleted in EspoCRM is created again', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  const contactId = await newContact(org, ada)
  await pushAndWait(org, { connection_id })
  espo.all()[0]!.deleted = true
  await org.patch(`/contacts/${contactId}`, { city: 'Paris' })
  expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
  expect(espo.all()).toMatchObject([{ addressCity: 'Paris', crosswalkId: contactId }])
  const { body } = await org.get(`/contacts/${contactId}`)
  expect(body.data.external_ids).toEqual({ espocrm_lead: espo.all()[0]!.id })
})

describe('faults', () => {
  const lead = /^(PUT|POST) /
  const cases: [string, Parameters<EspoStandIn['server']['fault']>[0]][] = [
    ['503 before it does anything', { on: lead, when: 'before', how: 'answer', status: 503 }],
    ['503 after it did', { on: lead, when: 'after', how: 'answer', status: 503 }],
    ['429', { on: lead, when: 'before', how: 'answer', status: 429 }],
    ['a connection that is dropped before', { on: lead, when: 'before', how: 'drop' }],
    ['a connection that is dropped after', { on: lead, when: 'after', how: 'drop' }],
    ['half an answer', { on: lead, when: 'after', how: 'half' }],
    ['an answer that is cut off', { on: lead, when: 'after', how: 'truncated' }],
    ['a dropped look-up', { on: /^GET .*Lead/, when: 'after', how: 'drop' }],
    ['metadata that is cut off', { on: /Metadata/, when: 'after', how: 'truncated' }],
  ]
  test('each contact has exactly one Lead after faults of any kind', async () => {
    const work = cases.map(async ([what, fault]) => {
      const { org, connection_id, espo } = await server.newOrg()
      const contactId = await newContact(org, ada)
      espo.server.fault(fault)
      const jobId = await push(org, { connection_id })
      const job = await untilJobEnds(org, jobId)
      const outcome = { status: 'succeeded', error: null, counts: { processed: 1, created: 1 } }
      expect(job, what).toMatchObject(outcome)
      expect(espo.server.hasFaults, what).toBe(false)
      expect(Object.fromEntries(espo.perKey()), what).toEqual({ [contactId]: 1 })
      const [item] = await itemsOf(org, jobId)
      expect(item, what).toMatchObject({ outcome: 'created', external_id: espo.all()[0]!.id })
    })
    await Promise.all(work)
  })

  test('a retry waits for the time in Retry-After', async () => {
    const { org, connection_id, espo } = await server.newOrg()
    await newContact(org, ada)
    const said = { status: 429, body: '', headers: { 'retry-after': '3' } }
    espo.refusals.push({ on: /^POST/, said })
    const askedAt = performance.now()
    const jobId = await push(org, { connection_id })
    await vi.waitFor(async () => {
      const { body } = await org.get(`${crmBase}/jobs/${jobId}`)
      expect(body).toMatchObject({
        status: 'running',
        error: { message: expect.stringContaining('tries again automatically') },
      })
    }, patience)
    await untilJobEnds(org, jobId)
    expect(performance.now() - askedAt).toBeGreaterThan(3_000)
    expect(espo.all()).toHaveLength(1)
  })
})

test('if the answer to an update is lost and the contact gets its old value back, the next push restores the Lead too', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  const contactId = await newContact(org, ada)
  await pushAndWait(org, { connection_id })
  await org.patch(`/contacts/${contactId}`, { city: 'Paris' })
  espo.server.fault({ on: /^PUT/, when: 'after', how: 'drop' })
  // The next GET gets 503, so the push is canceled before it sees the result of its update.
  const away = { on: /^GET/, said: { status: 503, body: '', headers: { 'retry-after': '3' } } }
  espo.server.hold = ({ method }) => {
    if (method === 'PUT') espo.refusals.push(away)
  }
  const jobId = await push(org, { connection_id })
  await vi.waitFor(() => expect(espo.all()).toMatchObject([{ addressCity: 'Paris' }]), patience)
  await org.post(`${crmBase}/jobs/${jobId}/cancel`)
  expect(await untilJobEnds(org, jobId)).toMatchObject({ status: 'canceled', counts: { processed: 0 } })
  espo.server.hold = () => {}
  espo.refusals.splice(0)
  await org.patch(`/contacts/${contactId}`, { city: null })
  expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { updated: 1 } })
  expect(espo.all()).toMatchObject([{ addressCity: null }])
})

test('after an undo, a push creates a Lead for the restored contact although another Lead has the same address', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  const first = await newContact(org, ada)
  // The push has more people than fit into its first chunk.
  for (const index of Array(5).keys())
    await newContact(org, { last_name: `Between ${index}`, email: `${index}@example.com` })
  const second = await newContact(org, { last_name: 'Byron', email: 'byron@example.com' })
  // After the merge, both contacts are linked to the second one's Lead, which has the first one's address.
  await pushAndWait(org, { connection_id, contact_ids: [second] })
  const merge = { entity_type: 'contact', survivor_id: first, loser_ids: [second] }
  const { merge_group_id } = (await org.post('/duplicates/merge', merge)).body.data
  expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 5, updated: 1 } })
  expect((await org.post(`/duplicates/undo-merge/${merge_group_id}`)).status).toBe(200)

  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({
    status: 'succeeded',
    counts: { created: 1, updated: 1, unchanged: 5, failed: 0 },
  })
  const item = (await itemsOf(org, job.job_id)).at(-1)
  expect(item).toMatchObject({ contact_id: first, outcome: 'created', error: null })
  const leads = espo.all()
  expect([leads[0], leads.at(-1)]).toMatchObject([
    { emailAddress: 'byron@example.com', crosswalkId: second },
    { emailAddress: 'ada@example.com', crosswalkId: first },
  ])
  expect(leads).toHaveLength(7)
})
