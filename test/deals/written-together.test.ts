import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** The transactions of the events of one type, one for each event. */
const transactionsOf = (org: TestOrg, type: string) =>
  withClient(app, async (client) => {
    const text = 'select xact::text from event where org_id = $1 and type = $2'
    return (await client.query(text, [org.orgId, type])).rows.map(({ xact }) => xact as string)
  })

test('deals that are created and changed at the same time share transactions, and keep their company and contacts', async () => {
  const org = await app.newOrg()
  const { company_id } = (await org.post('/companies', { name: 'Acme' })).body.data
  const { contact_id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
  const named = { company_id, contact_ids: [contact_id] }
  const made = await Promise.all(
    Array.from({ length: 24 }, (_, n) => org.post('/deals', { name: `D${n}`, ...(n < 3 ? named : {}) })),
  )
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
  const ids = made.map(({ body }) => body.data.deal_id as string)
  const changed = await Promise.all(
    ids.map((id, n) => org.patch(`/deals/${id}`, { stage: 'Proposal', probability: n })),
  )
  for (const [n, { status, body }] of changed.entries()) {
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      ...{ deal_id: ids[n], name: `D${n}`, stage: 'Proposal', probability: n, version: 2 },
      ...(n < 3 ? named : { company_id: null, contact_ids: [] }),
    })
    expect((await org.get(`/deals/${ids[n]}`)).body.data).toEqual(body.data)
  }
  for (const type of ['deal.created', 'deal.updated']) {
    const transactions = await transactionsOf(org, type)
    expect(transactions).toHaveLength(24)
    expect(new Set(transactions).size).toBeLessThan(20)
  }
  const { total } = (await org.get('/deals?status=open&stage=Proposal&sort=updated_at')).body.pagination
  expect(total).toBe(24)
})

test('of deals that are written at the same time, each fails alone: an unknown stage, contact or currency', async () => {
  const org = await app.newOrg()
  const bodies = [
    { name: 'Good' },
    { name: 'Bad', stage: 'Nowhere' },
    { name: 'Bad', amount_cents: 100 },
    { name: 'Bad', contact_ids: ['0190a000-0000-7000-8000-000000000000'] },
  ]
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => org.post('/deals', bodies[n % 4])))
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => [201, 422, 422, 404][n % 4]))
  expect((await org.get('/deals')).body.pagination.total).toBe(5)
})

test('a stage that is removed while deals are created has no open deal afterwards', async () => {
  const org = await app.newOrg()
  const { stages } = (await org.get('/deals/stages')).body.data
  const [removed] = stages
  const [replaced, ...made] = await Promise.all([
    org.send('PUT', '/deals/stages', { body: { stages: stages.slice(1) } }),
    ...Array.from({ length: 30 }, () => org.post('/deals', { name: 'D', stage: removed })),
  ])
  const statuses = new Set(made.map(({ status }) => status))
  const open = (await org.get(`/deals?stage=${encodeURIComponent(removed)}`)).body.pagination.total
  if (replaced?.status === 200) expect([...statuses, open]).toEqual([422, 0])
  else expect([replaced?.status, ...statuses, open]).toEqual([409, 201, 30])
})
