import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { createRecords } from '../support/finding.ts'
import { merge } from '../support/merges.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const ada = { first_name: 'Ada', last_name: 'Lovelace' }
const email = 'ada@engine.example'

const candidates = async (org: TestOrg, recordId: string, entityType = 'contact', limit = 10) => {
  const query = `entity_type=${entityType}&record_id=${recordId}&limit=${limit}`
  const { status, body } = await org.get(`/duplicates/candidates?${query}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data
}

test('candidates are listed with their reasons, the most likely first', async () => {
  const org = await app.newOrg()
  const [one, twin, sibling] = await createRecords(
    org,
    'contact',
    { ...ada, email, phone: '+14155550100' },
    { ...ada, email },
    { first_name: 'Ralph', last_name: 'Lovelace', email },
    { first_name: 'Grace', last_name: 'Hopper', email: 'grace@navy.example' },
  )
  const found = await candidates(org, one)
  expect(found).toHaveLength(2)
  expect(found[0]).toMatchObject({
    record_id: twin,
    name: 'Ada Lovelace',
    rule: 'same_email_and_name',
    outcome: 'auto',
    would_apply: true,
    veto: null,
  })
  expect(found[0].score).toBeGreaterThan(0.99)
  expect(found[0].evidence[0]).toEqual({ field: 'email', level: 'the same', weight: expect.any(Number) })
  expect(found[1]).toMatchObject({
    record_id: sibling,
    name: 'Ralph Lovelace',
    rule: 'shared_mailbox',
    outcome: 'review',
    would_apply: false,
    veto: 'their names contradict each other',
  })
  expect(await candidates(org, one, 'contact', 1)).toHaveLength(1)
})

test('candidates include pairs below the thresholds and pairs with the verdict different', async () => {
  const org = await app.newOrg()
  await org.patch('/duplicates/settings', { contact: { mode: 'off' } })
  const [one, twin, apart] = await createRecords(
    org,
    'contact',
    { ...ada, email },
    { ...ada, email },
    { first_name: 'Ada', last_name: 'Lovelace Jr', email, external_ids: { crm: '2' } },
  )
  expect((await candidates(org, one)).map(({ record_id }: { record_id: string }) => record_id)).toEqual(
    expect.arrayContaining([twin, apart]),
  )
  const [{ merge_id }] = (await merge(org, 'contact', one, twin)) as [{ merge_id: string }]
  await org.post(`/duplicates/undo-merge/${merge_id}`)
  const found = await candidates(org, one)
  expect(found.find(({ record_id }: { record_id: string }) => record_id === twin)).toMatchObject({
    outcome: 'none',
    veto: 'a person decided that the two are different',
    score: expect.any(Number),
  })
})

test('a merged record has the candidates of its canonical record', async () => {
  const org = await app.newOrg()
  const [one, absorbed, other] = await createRecords(
    org,
    'contact',
    { ...ada, email: 'ada@home.example' },
    { ...ada, email },
    { ...ada, email },
  )
  await merge(org, 'contact', one, absorbed)
  for (const id of [one, absorbed]) {
    expect(await candidates(org, id)).toEqual([
      expect.objectContaining({ record_id: other, rule: 'same_email_and_name', outcome: 'auto' }),
    ])
  }
  const [found] = await candidates(org, other)
  expect(found).toMatchObject({ record_id: one, outcome: 'auto' })
})

test('companies and deals have candidates', async () => {
  const org = await app.newOrg()
  const [acme, same] = await createRecords(
    org,
    'company',
    { name: 'Acme', domain: 'acme.example' },
    { name: 'Acme Ltd', domain: 'acme.example' },
  )
  expect(await candidates(org, acme, 'company')).toEqual([
    expect.objectContaining({ record_id: same, name: 'Acme Ltd', rule: 'same_domain_and_name' }),
  ])
  const [deal, twin] = await createRecords(
    org,
    'deal',
    { name: 'Website', external_ids: { crm: 'D1' } },
    { name: 'Website', external_ids: { crm: 'D1' } },
  )
  expect(await candidates(org, deal, 'deal')).toEqual([
    expect.objectContaining({ record_id: twin, rule: 'same_external_id', outcome: 'review' }),
  ])
})

test('an unknown id, or the id of another organization, gets 404', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const [id] = await createRecords(other, 'contact', { ...ada, email })
  await createRecords(org, 'contact', { ...ada, email })
  const query = `/duplicates/candidates?entity_type=contact&record_id=${id}`
  expect((await org.get(query)).status).toBe(404)
  expect((await other.get(query)).body.data).toEqual([])
  const reader = await app.newKey(other.orgId, { permissions: ['duplicates:read'] })
  expect((await reader.get(query)).status).toBe(403)
  const missing = await org.get('/duplicates/candidates')
  expect(missing.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
    'query.entity_type',
    'query.record_id',
  ])
})

test('the pages of candidates contain each candidate once, in the order of the whole list', async () => {
  const org = await app.newOrg()
  const people = Array.from({ length: 12 }, (_, n) => ({
    first_name: n % 3 ? 'Ada' : 'Grace',
    last_name: n % 2 ? 'Lovelace' : `Lovelace ${n}`,
    email,
  }))
  const [one = ''] = await createRecords(org, 'contact', ...people)
  const path = `/duplicates/candidates?entity_type=contact&record_id=${one}`
  const whole = await candidates(org, one, 'contact', 100)
  expect(whole).toHaveLength(11)
  const found: unknown[] = []
  for (let page = 1, cursor = ''; ; page++) {
    const { body } = await org.get(`${path}&limit=4${cursor}`)
    found.push(...body.data)
    expect(body.pagination).toMatchObject({ limit: 4, page, total: 11, has_next: page < 3 })
    expect((await org.get(`${path}&limit=4&page=${page}`)).body.data).toEqual(body.data)
    if (!body.pagination.has_next) break
    cursor = `&cursor=${body.pagination.next_cursor}`
  }
  expect(found).toEqual(whole)
  const { status } = await org.get(`${path}&cursor=abc`)
  expect(status).toBe(422)
})
