import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** Inserts rows, without the rows to which they refer. */
const fillFor = (org: TestOrg, count: number, insert: string) =>
  withClient(app, async (client) => {
    await client.query('set session_replication_role = replica')
    await client.query(`${insert} from generate_series(1, ${count}) n`, [org.orgId])
  })

const fillWithClients = (agency: TestOrg) =>
  fillFor(
    agency,
    9_999,
    'insert into agency_client (agency_org_id, client_org_id) select $1, gen_random_uuid()',
  )

const statuses = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).sort()

const oneOf = (answers: number) => [201, ...Array(answers - 1).fill(409)]

test('parallel requests to create clients do not exceed the maximum of 10,000', async () => {
  const agency = await app.newAgency()
  await fillWithClients(agency)
  const answers = Array.from({ length: 8 }, () => agency.post('/agency/clients', { name: 'Northwind' }))
  expect(await statuses(answers)).toEqual(oneOf(8))
})

test('invitations that are accepted in parallel do not exceed the maximum of 10,000 clients', async () => {
  const agency = await app.newAgency()
  await fillWithClients(agency)
  const clients = await Promise.all(Array.from({ length: 8 }, () => app.newOrg()))
  const invitations = await Promise.all(clients.map(() => agency.post('/agency/invitations', {})))
  const answers = clients.map((client, at) =>
    client.post('/organization/agencies', { token: invitations[at]!.body.data.token }),
  )
  expect(await statuses(answers)).toEqual(oneOf(8))
})

test('parallel requests to create API keys do not exceed the maximum of 10,000', async () => {
  const org = await app.newOrg()
  await fillFor(
    org,
    9_998,
    `insert into api_key (org_id, api_key_id, token_hash, token_hint, name, mode, created_at)
     select $1, gen_random_uuid(), sha256(n::text::bytea), 'cw_x', 'Filler', 'live', now()`,
  )
  const answers = Array.from({ length: 8 }, (_, n) =>
    org.post('/api-keys', { name: `Key ${n}`, mode: 'live' }),
  )
  expect(await statuses(answers)).toEqual(oneOf(8))
})
