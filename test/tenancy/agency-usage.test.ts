import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { firstIdAt } from '../../src/platform/db/uuid-time.ts'
import { sharedTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())

const [hour, day] = [3_600, 86_400]
/** The beginning of a month that has ended, and of the next month. */
const last = new Date()
const monthStart = Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - 1) / 1000
const monthEnd = Date.UTC(last.getUTCFullYear(), last.getUTCMonth()) / 1000
const month = new Date(monthStart * 1000).toISOString().slice(0, 7)

const idAt = (seconds: number) => `${firstIdAt(seconds).slice(0, 24)}${randomUUID().slice(24)}`

async function newAgencyWith(...names: string[]): Promise<{ agency: TestOrg; clients: TestOrg[] }> {
  const agency = await app.newAgency()
  const clients: TestOrg[] = []
  for (const name of names) {
    const client = await app.newOrg({ name })
    await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
    clients.push(client)
  }
  return { agency, clients }
}

const addHour = (org: TestOrg, at: number, series: string, n: number, mode = 'live') =>
  app.operate((tx) =>
    tx.run(sql`
      insert into usage_hour (org_id, mode, hour, series, n)
      values (${org.orgId}, ${mode}, to_timestamp(${at}), ${series}, ${n})`),
  )

const addCall = (org: TestOrg, at: number, seconds: number) =>
  app.operateOn(org.orgId, (tx) =>
    tx.run(sql`
      insert into call (org_id, call_id, mode, status, provider, from_number, variables, metadata, duration_seconds, created_at)
      values (${org.orgId}, ${idAt(at)}, 'live', 'completed', 'simulator', '+14155550100', '{}', '{}', ${seconds}, to_timestamp(${at}))`),
  )

async function addWebhookHour(org: TestOrg, at: number, delivered: number, failed: number): Promise<void> {
  const { body } = await org.post('/webhooks/endpoints', {
    url: 'https://crm.example.com/hook',
    types: ['*'],
  })
  await app.operateOn(org.orgId, (tx) =>
    tx.run(sql`
      insert into webhook_hour (org_id, endpoint_id, hour, delivered, failed, duration_ms)
      values (${org.orgId}, ${body.data.endpoint_id}, to_timestamp(${at}), ${delivered}, ${failed}, 30)`),
  )
}

const none = {
  ...{ requests: 0, rate_limited: 0, calls: 0, call_minutes: 0, events: 0 },
  ...{ webhooks_delivered: 0, webhooks_failed: 0 },
}

test('an agency sees the usage of each client in a month, its totals, and the same numbers as CSV', async () => {
  const { agency, clients } = await newAgencyWith('Northwind', '=Lantern, Row')
  const [northwind, lantern] = clients as [TestOrg, TestOrg]
  const stranger = await app.newOrg()
  for (const org of [northwind, stranger, agency]) {
    await addHour(org, monthStart - hour, 'requests', 1_000)
    await addHour(org, monthStart, 'requests', 5)
    await addHour(org, monthEnd - hour, 'requests', 7)
    await addHour(org, monthEnd, 'requests', 100_000)
    await addHour(org, monthStart, 'requests', 3, 'test')
    await addHour(org, monthStart, 'rate_limited', 2)
  }
  await addCall(northwind, monthStart, 61)
  await addCall(northwind, monthEnd - 1, 1)
  await addCall(northwind, monthEnd, 600)
  await addCall(lantern, monthStart + day, 60)
  await addWebhookHour(lantern, monthStart + day, 9, 1)

  const ofNorthwind = { ...none, requests: 12, rate_limited: 2, calls: 2, call_minutes: 3 }
  const ofLantern = { ...none, calls: 1, call_minutes: 1, webhooks_delivered: 9, webhooks_failed: 1 }
  const list = await agency.get(`/agency/usage?month=${month}`)
  expect([list.status, list.body.data, list.body.pagination.total]).toEqual([
    200,
    [
      { org_id: lantern.orgId, name: '=Lantern, Row', ...ofLantern },
      { org_id: northwind.orgId, name: 'Northwind', ...ofNorthwind },
    ],
    2,
  ])
  const totals = await agency.get(`/agency/usage/totals?from=${monthStart}&to=${monthEnd}`)
  expect(totals.body.data).toEqual({
    ...{ from: monthStart, to: monthEnd, clients: 2 },
    ...{ requests: 12, rate_limited: 2, calls: 3, call_minutes: 4, events: 0 },
    ...{ webhooks_delivered: 9, webhooks_failed: 1 },
  })
  const file = await agency.get(`/agency/usage/export?month=${month}`)
  const times = [monthStart, monthEnd]
    .map((at) => new Date(at * 1000).toISOString().replace('.000Z', 'Z'))
    .join()
  expect(file.text.split('\r\n')).toEqual([
    'org_id,name,from,to,requests,rate_limited,calls,call_minutes,events,webhooks_delivered,webhooks_failed',
    `${northwind.orgId},Northwind,${times},12,2,2,3,0,0,0`,
    `${lantern.orgId},"'=Lantern, Row",${times},0,0,1,1,0,9,1`,
    '',
  ])
})

type Series = { name: string; points: [number, number][] }

async function ownUsage(client: TestClient, query = ''): Promise<Record<string, number>> {
  const { body } = await client.get(`/usage${query}`)
  const sum = ({ points }: Series) => points.reduce((all, [, n]) => all + n, 0)
  return Object.fromEntries(body.data.series.map((each: Series) => [each.name, sum(each)]))
}

test('the usage of a client is what the client itself reads, in the mode of the API key', async () => {
  const { agency, clients } = await newAgencyWith('Northwind')
  const [client] = clients as [TestOrg]
  await client.post('/contacts', { email: 'ada@example.com' })
  const tester = await app.newKey(agency.orgId, { isAgency: true, mode: 'test' })
  const read = async (key: TestClient) => (await key.get('/agency/usage')).body.data[0]
  const own = await ownUsage(client)
  expect(own.events).toBeGreaterThan(0)
  expect((await read(agency)).events).toBe(own.events)
  expect((await read(tester)).events).toBe(0)
  expect((await agency.get('/agency/usage/totals')).body.data.events).toBe(own.events)
})

test('all numbers of a client equal the numbers of GET /usage for the same month, and the totals are their sums', async () => {
  const { agency, clients } = await newAgencyWith('Northwind', 'Lantern')
  for (const [index, client] of clients.entries()) {
    // Hours and calls at both ends of the month, just inside and just outside.
    for (const at of [monthStart - hour, monthStart, monthEnd - hour, monthEnd])
      for (const series of ['requests', 'rate_limited', 'events'])
        await addHour(client, at, series, 3 + index + series.length)
    for (const at of [monthStart - 1, monthStart, monthEnd - 1, monthEnd])
      await addCall(client, at, 61 + index)
    await addWebhookHour(client, monthStart, 9, 1)
    await addWebhookHour(client, monthEnd, 90, 10)
  }
  const own = await Promise.all(
    clients.map((client) => ownUsage(client, `?step=day&from=${monthStart}&to=${monthEnd}`)),
  )
  expect(own[0]).toEqual({
    ...{ requests: 22, rate_limited: 30, events: 18, calls: 2, call_minutes: 4 },
    ...{ webhooks_delivered: 9, webhooks_failed: 1 },
  })
  const { data } = (await agency.get(`/agency/usage?month=${month}`)).body
  const seen = clients.map(({ orgId }) => data.find((row: { org_id: string }) => row.org_id === orgId))
  expect(seen).toMatchObject(own)
  const sums = Object.keys(none).map((name) => [name, own.reduce((all, each) => all + (each[name] ?? 0), 0)])
  const totals = await agency.get(`/agency/usage/totals?month=${month}`)
  expect(totals.body.data).toEqual({
    ...{ from: monthStart, to: monthEnd, clients: 2 },
    ...Object.fromEntries(sums),
  })
})

test('the list of the usage has pages', async () => {
  const { agency, clients } = await newAgencyWith('A', 'B', 'C')
  const first = await agency.get('/agency/usage?limit=2')
  const rest = await agency.get(`/agency/usage?limit=2&cursor=${first.body.pagination.next_cursor}`)
  const ids = [...first.body.data, ...rest.body.data].map(({ org_id }) => org_id)
  expect(ids).toEqual(clients.map(({ orgId }) => orgId).reverse())
})

test('a search finds clients by a part of their name or their id, and counts them', async () => {
  const { agency, clients } = await newAgencyWith(
    'Zürich Motors',
    'Café Motors',
    'O’Brien & 100%',
    'Северный путь',
  )
  await addHour(clients[1]!, monthStart, 'requests', 5)
  const stranger = await app.newOrg({ name: 'Motors' })
  const find = async (q: string, more = '') => {
    const { body } = await agency.get(`/agency/usage?month=${month}&q=${encodeURIComponent(q)}${more}`)
    return [body.data.map(({ name }: { name: string }) => name), body.pagination.total]
  }
  expect(await find('ZURICH m')).toEqual([['Zürich Motors'], 1])
  expect(await find(' zürich ')).toEqual([['Zürich Motors'], 1])
  expect(await find("o'b")).toEqual([['O’Brien & 100%'], 1])
  expect(await find('%')).toEqual([['O’Brien & 100%'], 1])
  expect(await find('_')).toEqual([[], 0])
  expect(await find('северный')).toEqual([['Северный путь'], 1])
  expect(await find(clients[0]!.orgId.toUpperCase())).toEqual([['Zürich Motors'], 1])
  // An accent alone is no text.
  expect(await find('\u0301')).toEqual([[], 0])
  expect(await find(stranger.orgId)).toEqual([[], 0])
  expect(await find('motors')).toEqual([['Café Motors', 'Zürich Motors'], 2])
  const first = await agency.get(`/agency/usage?month=${month}&q=motors&limit=1`)
  expect(first.body.data[0]).toMatchObject({ name: 'Café Motors', ...none, requests: 5 })
  const next = `&limit=1&cursor=${first.body.pagination.next_cursor}`
  expect(await find('motors', next)).toEqual([['Zürich Motors'], 2])
  const other = await agency.get(`/agency/usage?month=${month}&q=zürich${next}`)
  expect([other.status, other.body.code]).toEqual([422, 'validation_failed'])
  expect((await agency.get('/agency/usage?q=')).status).toBe(422)
})

test('after a link is cut, the agency no longer sees the usage of the client', async () => {
  const { agency, clients } = await newAgencyWith('Northwind')
  await addHour(clients[0]!, monthStart, 'requests', 5)
  await agency.delete(`/agency/clients/${clients[0]!.orgId}`)
  expect((await agency.get(`/agency/usage?month=${month}`)).body.data).toEqual([])
  expect((await agency.get(`/agency/usage/totals?month=${month}`)).body.data).toMatchObject({
    clients: 0,
    ...none,
  })
  expect((await agency.get(`/agency/usage/export?month=${month}`)).text.split('\r\n')).toHaveLength(2)
})

test('only an agency key that acts on the agency itself reads the usage of clients', async () => {
  const { agency, clients } = await newAgencyWith('Northwind')
  const headers = { 'x-target-org-id': clients[0]!.orgId }
  for (const path of ['/agency/usage', '/agency/usage/totals', '/agency/usage/export']) {
    expect((await clients[0]!.get(path)).body.code).toBe('agency_key_required')
    expect((await agency.get(path, { headers })).body.code).toBe('own_organization_required')
  }
})

test.each([
  ['?from=100&to=100', 'must be before'],
  [`?from=0&to=${92 * day + 2}`, 'at most 92 days'],
  ['?month=2026-13', 'YYYY-MM'],
  ['?month=2026-01&from=1', 'send `month`, or `from` and `to`'],
])('a request for the usage of clients with %s gets 422', async (query, text) => {
  const agency = await app.newAgency()
  for (const path of ['/agency/usage', '/agency/usage/totals', '/agency/usage/export']) {
    const { status, body } = await agency.get(`${path}${query}`)
    expect([path, status]).toEqual([path, 422])
    expect(JSON.stringify(body.detail)).toContain(text)
  }
})
