import { afterAll, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'

const app = await startTestApp()
afterAll(() => app.close())

const phones = Array.from({ length: 50 }, (_, at) => `12${at}`)
const badPhones = { items: Array.from({ length: 250 }, () => ({ last_name: 'Lovelace', phones })) }

/** Sends requests of an org one after another while `work` runs. Returns the number of answers. */
async function answeredDuring(work: Promise<unknown>, org: TestOrg): Promise<number> {
  let isDone = false
  work.finally(() => {
    isDone = true
  })
  let answered = 0
  while (!isDone) {
    expect((await org.get('/contacts?limit=5')).status).toBe(200)
    if (!isDone) answered++
  }
  return answered
}

test('an organization gets answers regularly while another organization sends a batch of bad phone numbers', async () => {
  const [busy, other] = [await app.newOrg(), await app.newOrg()]
  const batch = busy.post('/contacts/batch', badPhones)
  // The batch has about 40 slices. Without slices, other organizations would get only a few turns of the event loop.
  expect(await answeredDuring(batch, other)).toBeGreaterThan(8)
  expect((await batch).status).toBe(200)
})

test('long requests beyond the maximum of waiting requests get 503, while requests of other organizations succeed', async () => {
  const [busy, other] = [await app.newOrg(), await app.newOrg()]
  const item = { match_on: 'external_id', last_name: 'Lovelace', external_ids: { crm: '1' } }
  const { contact_id: id } = (await busy.post('/contacts/upsert', item)).body.data
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = $1 for update', [id])
    const batches = Array.from({ length: 36 }, () => busy.post('/contacts/batch', { items: [item] }))
    const { status, headers, body } = await Promise.race(batches)
    expect([status, headers.get('retry-after'), body.detail]).toEqual([
      503,
      '2',
      expect.stringMatching(/^Too many requests of this organization/),
    ])
    expect((await other.post('/contacts/batch', { items: [item] })).status).toBe(200)
    await client.query('commit')
    const statuses = (await Promise.all(batches)).map(({ status }) => status)
    // Two run and 32 wait. If a request of others arrived just before, one runs.
    const refused = statuses.filter((status) => status === 503).length
    expect([2, 3]).toContain(refused)
  })
})

test('an agency counts as one organization, even if it sends long requests for many clients', async () => {
  const [agency, other] = [await app.newAgency(), await app.newOrg()]
  const [first, second] = [await app.newOrg(), await app.newOrg()]
  for (const { orgId } of [first, second]) await app.operate((tx) => linkOrgs(tx, agency.orgId, orgId))
  const item = { match_on: 'external_id', last_name: 'Lovelace', external_ids: { crm: '1' } }
  const { contact_id: id } = (await first.post('/contacts/upsert', item)).body.data
  const batchIn = ({ orgId }: TestOrg) =>
    agency.post('/contacts/batch', { items: [item] }, { headers: { 'x-target-org-id': orgId } })
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = $1 for update', [id])
    const held = [batchIn(first), batchIn(first)]
    await untilBlocked(client, 2)
    const batches = Array.from({ length: 34 }, () => batchIn(second))
    expect((await Promise.race(batches)).status).toBe(503)
    expect((await other.post('/contacts/batch', { items: [item] })).status).toBe(200)
    await client.query('commit')
    const statuses = (await Promise.all([...held, ...batches])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 503)).toHaveLength(2)
  })
})

test('searches beyond the maximum of waiting searches get 503; other lists, and searches of other organizations, succeed', async () => {
  const [busy, other] = [await app.newOrg(), await app.newOrg()]
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('lock table contact in access exclusive mode')
    const searches = Array.from({ length: 36 }, () => busy.get('/contacts?q=a'))
    const { status, headers } = await Promise.race(searches)
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    expect((await busy.get('/companies')).status).toBe(200)
    expect((await other.get('/companies?q=a')).status).toBe(200)
    await untilBlocked(client, 1)
    await client.query('commit')
    const statuses = (await Promise.all(searches)).map((each) => each.status)
    expect(statuses.filter((each) => each === 503)).toHaveLength(3)
  })
})

test('exports beyond the maximum of waiting exports get 503, and exports of other organizations succeed', async () => {
  const [busy, other] = [await app.newOrg(), await app.newOrg()]
  const path = '/voice/suppressions/export'
  await busy.post('/voice/suppressions', { number: '+12025550147' })
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('lock table voice_suppression in access exclusive mode')
    const exports = Array.from({ length: 36 }, () => busy.get(path))
    const { status, headers } = await Promise.race(exports)
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    const othersExport = other.get(path)
    await client.query('commit')
    expect((await othersExport).status).toBe(200)
    const statuses = (await Promise.all(exports)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 503)).toHaveLength(2)
  })
})
