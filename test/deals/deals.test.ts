import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { eventsOf, newDeal, reasonFor } from '../support/deals.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const newContact = async (org: TestOrg, first_name = 'Ada') =>
  (await org.post('/contacts', { first_name })).body.data.contact_id as string
const newCompany = async (org: TestOrg) =>
  (await org.post('/companies', { name: 'Acme' })).body.data.company_id as string

const idsOf = async (org: TestOrg, query: string) => {
  const { status, body, text } = await org.get(`/deals${query}`)
  expect(status, text).toBe(200)
  expect(body.pagination.total).toBe(body.data.length)
  return body.data.map((deal: { deal_id: string }) => deal.deal_id)
}

describe('the life of a deal', () => {
  test('a deal keeps its expected close date and its probability, even when it is won', async () => {
    const org = await app.newOrg()
    const { path, deal } = await newDeal(org, { expected_close_on: '2028-02-29', probability: 40 })
    expect(deal).toMatchObject({ expected_close_on: '2028-02-29', probability: 40, stage: 'New' })
    await org.patch(path, { probability: 80 })
    expect((await org.post(`${path}/close`, { status: 'won' })).body.data).toMatchObject({
      ...{ expected_close_on: '2028-02-29', probability: 80, stage: 'New', status: 'won' },
    })
    const { data } = (await org.patch(path, { expected_close_on: null, probability: null })).body
    expect([data.expected_close_on, data.probability]).toEqual([null, null])
  })

  test.each([
    [{ expected_close_on: '2026-02-30' }, 'expected_close_on'],
    [{ expected_close_on: '0000-01-01' }, 'expected_close_on'],
    [{ expected_close_on: '2026-1-1' }, 'expected_close_on'],
    [{ expected_close_on: 1_767_225_600 }, 'expected_close_on'],
    [{ probability: 101 }, 'probability'],
    [{ probability: -1 }, 'probability'],
    [{ probability: 0.5 }, 'probability'],
  ])('a deal with %j is refused', async (fields, field) => {
    const org = await app.newOrg()
    const { status, body } = await org.post('/deals', { name: 'Website', ...fields })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', field]])
  })

  test('a deal is created, read, changed, archived, restored and erased, each with its event', async () => {
    const org = await app.newOrg()
    const [company, ada, bob] = [await newCompany(org), await newContact(org), await newContact(org, 'Bob')]
    const fields = {
      ...{ name: 'Website for Acme', amount_cents: 3_000_000_000, currency: 'usd', stage: 'Qualified' },
      ...{ company_id: company, contact_ids: [bob, ada, bob], owner_email: 'sales@example.com' },
      ...{ tags: ['web'], custom: { a: [1, 2.5] }, external_ids: { crm: 'D-1' }, source: 'test' },
    }
    const { id, path, deal } = await newDeal(org, fields)
    expect(deal).toEqual({
      ...{ ...fields, deal_id: id, currency: 'USD', contact_ids: [bob, ada], status: 'open' },
      ...{ expected_close_on: null, probability: null, owner_id: null },
      ...{ close_reason_id: null, closed_at: null, version: 1, archived_at: null },
      ...{ merged_ids: [], merged_external_ids: {} },
      ...{ created_at: expect.any(Number), updated_at: deal.created_at },
    })
    const read = await org.get(path)
    expect([read.body.data, read.headers.get('etag')]).toEqual([deal, '"1"'])
    const changed = await org.patch(path, { contact_ids: [ada], amount_cents: null, custom: { a: [1, 2.5] } })
    expect(changed.body.data).toMatchObject({
      contact_ids: [ada],
      amount_cents: null,
      currency: 'USD',
      version: 2,
    })
    expect((await org.patch(path, { contact_ids: [ada], name: 'Website for Acme' })).body.data.version).toBe(
      2,
    )
    expect((await org.delete(path)).body.data.archived_at).toEqual(expect.any(Number))
    expect((await org.patch(path, { name: 'Other' })).status).toBe(409)
    expect((await org.post(`${path}/close`, { status: 'won' })).status).toBe(409)
    expect(await idsOf(org, '')).toEqual([])
    expect(await idsOf(org, '?archived=true')).toEqual([id])
    expect((await org.post(`${path}/restore`)).body.data.archived_at).toBeNull()
    expect(await idsOf(org, '')).toEqual([id])
    expect((await org.post(`${path}/erase`)).body.data).toEqual({ deal_id: id, erased: true })
    expect((await org.get(path)).status).toBe(404)
    expect(await eventsOf(org, id)).toEqual([
      'deal.created',
      'deal.updated amount_cents contact_ids',
      'deal.archived',
      'deal.restored',
      'deal.erased',
    ])
  })

  test('a deal needs only a name, and starts open in the first stage', async () => {
    const org = await app.newOrg()
    const { deal } = await newDeal(org)
    expect(deal).toMatchObject({
      stage: 'New',
      status: 'open',
      amount_cents: null,
      currency: null,
      contact_ids: [],
    })
    for (const [body, type] of [
      [{}, 'missing'],
      [{ name: '  ' }, 'string_too_short'],
      [{ name: null }, 'string_type'],
    ] as const) {
      const answer = await org.post('/deals', { ...body, stage: 'New' })
      expect(answer.body.detail).toEqual([expect.objectContaining({ type, loc: ['body', 'name'] })])
    }
  })

  test('a deal changes its status only through close and reopen, so `status`, `closed_at` or `close_reason_id` in another body is a 422', async () => {
    const org = await app.newOrg()
    const { path, deal } = await newDeal(org)
    expect(deal).toMatchObject({ status: 'open', closed_at: null, close_reason_id: null })
    for (const sent of [{ status: 'lost' }, { closed_at: 1 }, { close_reason_id: randomUUID() }]) {
      const answers = [await org.post('/deals', { name: 'Other', ...sent }), await org.patch(path, sent)]
      for (const { status, body } of answers)
        expect([status, body.detail]).toMatchObject([
          422,
          [{ type: 'extra_forbidden', loc: ['body', Object.keys(sent)[0]] }],
        ])
    }
    expect((await org.get(path)).body.data).toEqual(deal)
  })

  test.each([
    ['company_id', (id: string) => ({ company_id: id })],
    ['contact_ids', (id: string) => ({ contact_ids: [id] })],
  ])('a deal that refers to a missing record gets a 404 that names %s', async (field, naming) => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const { path, deal } = await newDeal(org)
    const known = field === 'company_id' ? await newCompany(other) : await newContact(other)
    for (const id of [known, randomUUID()]) {
      const answers = [
        await org.post('/deals', { name: 'Other', ...naming(id) }),
        await org.patch(path, naming(id)),
        await org.post('/deals/upsert', {
          ...{ match_on: 'external_id', external_ids: { crm: '1' }, name: 'Other' },
          ...naming(id),
        }),
      ]
      for (const { status, body } of answers)
        expect([status, body.detail]).toEqual([404, expect.stringMatching(`^${field}: .*${id}`)])
      const batch = await org.post('/deals/batch', {
        items: [{ name: 'Other', ...naming(id) }, { name: 'Good' }],
      })
      expect(batch.body.data).toMatchObject([
        { outcome: 'failed', detail: expect.stringContaining(field) },
        { outcome: 'created' },
      ])
    }
    expect((await org.get(path)).body.data).toEqual(deal)
  })

  test('an upsert finds a deal by its external id, and adds contacts and tags', async () => {
    const org = await app.newOrg()
    const [ada, bob] = [await newContact(org), await newContact(org, 'Bob')]
    const upsert = (fields: object) =>
      org.post('/deals/upsert', {
        match_on: 'external_id',
        external_ids: { crm: 'D-1' },
        name: 'Website',
        ...fields,
      })
    const first = await upsert({ contact_ids: [ada], tags: ['a'] })
    expect(first.body.data.outcome).toBe('created')
    const second = await upsert({ contact_ids: [bob, ada], tags: ['b'], stage: 'Proposal' })
    expect(second.body.data).toMatchObject({
      ...{ deal_id: first.body.data.deal_id, outcome: 'updated', contact_ids: [ada, bob] },
      ...{ tags: ['a', 'b'], stage: 'Proposal', version: 2 },
    })
  })

  test('an upsert that finds a deal may leave out the currency of an amount, and a new deal may not', async () => {
    const org = await app.newOrg()
    const upsert = (fields: object) =>
      org.post('/deals/upsert', {
        ...{ match_on: 'external_id', external_ids: { crm: 'D-1' }, name: 'Website' },
        ...fields,
      })
    const refused = await upsert({ amount_cents: 5 })
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'currency']])
    await upsert({ amount_cents: 5, currency: 'EUR' })
    expect((await upsert({ amount_cents: 7 })).body.data).toMatchObject({ amount_cents: 7, currency: 'EUR' })
  })

  test('a deal has at most 100 contacts', async () => {
    const org = await app.newOrg()
    const items = Array.from({ length: 101 }, (_, n) => ({ first_name: `C${n}` }))
    const { data } = (await org.post('/contacts/batch', { items })).body
    const all = data.map(({ contact_id }: { contact_id: string }) => contact_id)
    const { path, deal } = await newDeal(org, { contact_ids: all.slice(0, 100) })
    expect(deal.contact_ids).toEqual(all.slice(0, 100))
    const swapped = [all[100], ...all.slice(0, 99).reverse()]
    expect((await org.patch(path, { contact_ids: swapped })).body.data.contact_ids).toEqual(swapped)
    const refused = await org.patch(path, { contact_ids: all })
    expect(refused.body.detail).toMatchObject([{ type: 'too_long', loc: ['body', 'contact_ids'] }])
  })
})

test('each parameter of the list filters it, and several parameters combine', async () => {
  const org = await app.newOrg()
  const [company, ada] = [await newCompany(org), await newContact(org)]
  const reason = await reasonFor(org, 'won')
  const plain = await newDeal(org, { name: 'Plain' })
  const named = await newDeal(org, {
    name: 'Zebra shop',
    company_id: company,
    contact_ids: [ada],
    tags: ['x'],
  })
  const staged = await newDeal(org, { stage: 'Proposal', company_id: company })
  const won = await org.post(`${staged.path}/close`, { status: 'won', close_reason_id: reason })
  const { closed_at } = won.body.data
  const lost = await newDeal(org, { contact_ids: [ada] })
  await org.post(`${lost.path}/close`, { status: 'lost' })
  const table: [string, { id: string }[]][] = [
    ['', [lost, staged, named, plain]],
    ['?status=open', [named, plain]],
    ['?status=won', [staged]],
    ['?status=lost', [lost]],
    ['?stage=Proposal', [staged]],
    ['?stage=New', [lost, named, plain]],
    ['?stage=None', []],
    [`?company_id=${company}`, [staged, named]],
    [`?contact_id=${ada}`, [lost, named]],
    [`?close_reason_id=${reason}`, [staged]],
    [`?closed_since=${closed_at}`, [lost, staged]],
    [`?closed_since=${closed_at + 3600}`, []],
    ['?tag=x', [named]],
    ['?q=zeb', [named]],
    ['?updated_since=0', [lost, staged, named, plain]],
    [`?contact_id=${ada}&status=open&company_id=${company}&tag=x`, [named]],
    [`?contact_id=${ada}&status=won`, []],
    ['?archived=true', []],
    ['?archived=true&status=open', []],
  ]
  for (const [query, expected] of table)
    expect([query, await idsOf(org, query)]).toEqual([query, expected.map(({ id }) => id)])
  await org.delete(named.path)
  expect(await idsOf(org, `?contact_id=${ada}`)).toEqual([lost.id])
  expect(await idsOf(org, `?contact_id=${ada}&archived=yes&status=open`)).toEqual([named.id])
  const page = (await org.get('/deals?stage=New&limit=1')).body
  expect(page.pagination).toMatchObject({ has_next: true, total: 2 })
  const next = await org.get(`/deals?stage=New&limit=1&cursor=${page.pagination.next_cursor}`)
  expect(next.body.data[0].deal_id).toBe(plain.id)
  const foreign = await org.get(`/deals?stage=Other&cursor=${page.pagination.next_cursor}`)
  expect(foreign.body.detail[0].loc).toEqual(['query', 'cursor'])
  for (const [query, name] of [
    ['?status=active', 'status'],
    ['?stage=', 'stage'],
    ['?company_id=x', 'company_id'],
    ['?closed_since=x', 'closed_since'],
    ['?archived=maybe', 'archived'],
  ])
    expect((await org.get(`/deals${query}`)).body.detail[0].loc).toEqual(['query', name])
})
