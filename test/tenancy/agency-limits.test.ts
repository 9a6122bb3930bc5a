import { afterAll, expect, test } from 'vitest'
import { linkOrgs, setCeilings, unlinkOrgs } from '../../src/orgs/operator.ts'
import { sharedTestApp, type TestClient } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { expectWithin } from '../support/within.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** An agency with a limit of requests a minute, and the keys that it created in its clients. */
async function family(perMinute: number) {
  const agency = await app.newAgency()
  await app.operate((tx) => setCeilings(tx, agency.orgId, { perSecond: null, perMinute }))
  const makeClient = async () => {
    const { org_id: orgId } = (await agency.post('/agency/clients', { name: 'Client' })).body.data
    const on = { headers: { 'x-target-org-id': orgId } }
    const first = app.client((await agency.post('/api-keys', { name: 'First' }, on)).body.api_key_token)
    const second = app.client((await first.post('/api-keys', { name: 'Second' })).body.api_key_token)
    return { orgId, first, second }
  }
  return { agency, makeClient }
}

const left = async (client: TestClient) =>
  Number((await client.get('/organization')).headers.get('x-ratelimit-remaining'))

test('an agency shares one rate limit with all keys that it creates in its clients', async () => {
  const { agency, makeClient } = await family(50)
  const clients = [await makeClient(), await makeClient(), await makeClient()]
  const keys = [agency, ...clients.flatMap(({ first, second }) => [first, second])]
  const spent = 3 * 3
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => keys.map((key) => key.get('/organization'))).flat(),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50 - spent)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10 * keys.length - (50 - spent))
})

test('a 429 of a key that an agency created in a client says that the key shares the limits of the agency', async () => {
  const { agency, makeClient } = await family(5)
  const { first } = await makeClient()
  const refusal = async (key: TestClient): Promise<string> => {
    const { status, body } = await key.get('/organization')
    return status === 429 ? body.detail : refusal(key)
  }
  expect(await refusal(first)).toContain('shares its limits with the other keys')
  expect(await refusal(agency)).not.toContain('shares its limits')
})

test('requests with a rotated key still count against the rate limit of the agency that created the original key', async () => {
  const { agency, makeClient } = await family(1_000)
  const { first } = await makeClient()
  const [key] = (await first.get('/api-keys')).body.keys
  const rotated = app.client((await first.post(`/api-keys/${key.api_key_id}/rotate`)).body.api_key_token)
  const before = await left(agency)
  expect(await left(rotated)).toBe(before - 1)
})

test('requests with keys that the operator created for a client count against the client’s own rate limit', async () => {
  const { agency, makeClient } = await family(1_000)
  const { orgId } = await makeClient()
  await app.operate((tx) => setCeilings(tx, orgId, { perMinute: 600 }))
  const before = await left(agency)
  expect(await left(await app.newKey(orgId))).toBe(599)
  expect(await left(agency)).toBe(before - 1)
})

test('creating a link, changing a rate ceiling and cutting a link apply to the rate limit of a key within 2 s', async () => {
  const { agency, makeClient } = await family(1_000)
  const { orgId, first } = await makeClient()
  const ceiling = async () => (await first.get('/organization')).headers.get('x-ratelimit-limit-minute')
  await app.operate((tx) => setCeilings(tx, orgId, { perMinute: 700 }))
  expect(await ceiling()).toBe('1000')
  await app.operate((tx) => setCeilings(tx, agency.orgId, { perMinute: 900 }))
  await expectWithin(2_000, ceiling, '900')
  const budgets = async () => {
    const before = await left(agency)
    await left(first)
    return before - (await left(agency)) === 1 ? 'two' : 'one'
  }
  expect(await budgets()).toBe('one')
  await app.operate((tx) => unlinkOrgs(tx, agency.orgId, orgId))
  await expectWithin(2_000, budgets, 'two')
  await app.operate((tx) => setCeilings(tx, agency.orgId, { perSecond: null, perMinute: 800 }))
  await expectWithin(2_000, ceiling, '800')
  await app.operate((tx) => linkOrgs(tx, agency.orgId, orgId))
  await expectWithin(2_000, budgets, 'one')
})

test('an agency that creates clients and cuts their links gains one rate limit for all of their keys together', async () => {
  const { agency, makeClient } = await family(50)
  const clients = [await makeClient(), await makeClient(), await makeClient()]
  for (const { orgId } of clients) expect((await agency.delete(`/agency/clients/${orgId}`)).status).toBe(200)
  const keys = clients.flatMap(({ first, second }) => [first, second])
  const spentOfAgency = async () => {
    const before = await left(agency)
    await Promise.all(keys.map(left))
    return before - (await left(agency))
  }
  await expectWithin(2_000, spentOfAgency, 1)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => keys.map((key) => key.get('/organization'))).flat(),
  )
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(50)
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(70)
})

test('an agency whose requests wait in all of its clients leaves connections to other organizations', async () => {
  const { agency, makeClient } = await family(1_000)
  const other = await app.newOrg()
  const makeContact = async () => {
    const { orgId, first } = await makeClient()
    const { contact_id: id } = (await first.post('/contacts', { first_name: 'Ada' })).body.data
    return { id, first, on: { headers: { 'x-target-org-id': orgId } } }
  }
  const contacts = [await makeContact(), await makeContact()]
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = any ($1) for update', [
      contacts.map(({ id }) => id),
    ])
    const waiting = Array.from({ length: 10 }, (_, n) =>
      contacts.flatMap(({ id, first, on }) => [
        agency.patch(`/contacts/${id}`, { city: `City ${n}` }, on),
        first.patch(`/contacts/${id}`, { city: `Town ${n}` }),
      ]),
    ).flat()
    await untilBlocked(client, 12)
    for (let n = 0; n < 5; n++) expect((await other.get('/contacts')).status).toBe(200)
    await client.query('commit')
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(40).fill(200))
  })
})
