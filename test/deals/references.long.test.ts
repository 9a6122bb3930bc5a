import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { dumpTables, untilBlocked, withClient } from '../support/direct-sql.ts'
import { merge } from '../support/merges.ts'

const app = await startTestApp()
afterAll(() => app.close())

const make = async (org: TestOrg, path: string, fields: object) => {
  const { status, body, text } = await org.post(path, fields)
  expect(status, text).toBe(201)
  return Object.values(body.data)[0] as string
}
const newContact = (org: TestOrg) => make(org, '/contacts', { first_name: 'Ada' })
const newCompany = (org: TestOrg) => make(org, '/companies', { name: 'Acme' })
const read = async (org: TestOrg, dealId: string) => (await org.get(`/deals/${dealId}`)).body.data
const rows = (text: string, id: string) =>
  app.operate((tx) => tx.rows<Record<string, string>>({ text, values: [id] }))

describe('erasing a record removes it from the deals that refer to it', () => {
  test('erasing a contact removes the contact and the contacts that it absorbed from all deals', async () => {
    const org = await app.newOrg()
    const [ada, bob, eve] = [await newContact(org), await newContact(org), await newContact(org)]
    const deals = [
      await make(org, '/deals', { name: 'Both', contact_ids: [ada, bob] }),
      await make(org, '/deals', { name: 'Absorbed', contact_ids: [eve] }),
      await make(org, '/deals', { name: 'Other', contact_ids: [bob] }),
    ]
    await merge(org, 'contact', ada, eve)
    expect((await read(org, deals[1]!)).contact_ids).toEqual([ada])
    expect((await org.post(`/contacts/${ada}/erase`)).status).toBe(200)
    const after = await Promise.all(deals.map((id) => read(org, id)))
    expect(after.map(({ contact_ids, version }) => [contact_ids, version])).toEqual([
      [[bob], 2],
      [[], 3],
      [[bob], 1],
    ])
    for (const id of deals.slice(0, 2)) {
      const [event] = (await org.get(`/events?object_id=${id}`)).body.data
      expect(event).toMatchObject({ type: 'deal.updated', changed: ['contact_ids'] })
    }
    const links = (await dumpTables(app)).split('\n').filter((line) => line.startsWith('public.deal_contact'))
    for (const id of [ada, eve]) expect(links.filter((line) => line.includes(id))).toEqual([])
  })

  test('erasing a contact removes it from its deals, even if there are too many deals for one batch', async () => {
    const org = await app.newOrg()
    const ada = await newContact(org)
    for (let batch = 0; batch < 3; batch++) {
      const items = Array.from({ length: 500 }, (_, n) => ({ name: `D${n}`, contact_ids: [ada] }))
      await org.post('/deals/batch', { items })
    }
    await org.post(`/contacts/${ada}/erase`)
    const left = await rows('select count(*) as n from deal_contact where contact_id = $1', ada)
    const versions = await rows('select distinct version from deal where org_id = $1', org.orgId)
    expect([left, versions]).toEqual([[{ n: 0 }], [{ version: 2 }]])
  })

  test('erasing a company removes the company from its deals', async () => {
    const org = await app.newOrg()
    const company = await newCompany(org)
    const deal = await make(org, '/deals', { name: 'Website', company_id: company })
    await org.post(`/companies/${company}/erase`)
    expect(await read(org, deal)).toMatchObject({ company_id: null, version: 2 })
    const dump = (await dumpTables(app)).split('\n').filter((line) => line.startsWith('public.deal '))
    expect(dump.filter((line) => line.includes(company))).toEqual([])
  })

  test('a write of a deal gets 404 if its contact is erased at the same time', async () => {
    const org = await app.newOrg()
    const ada = await newContact(org)
    await withClient(app, async (client) => {
      await client.query('begin')
      await client.query('select from contact where contact_id = $1 for update', [ada])
      const creating = org.post('/deals', { name: 'Website', contact_ids: [ada] })
      await untilBlocked(client)
      await client.query(`update contact set status = 'erased' where contact_id = $1`, [ada])
      await client.query('commit')
      expect(await creating).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining('contact_ids') },
      })
    })
  })
})

test('erasing a deal removes all of its data', async () => {
  const org = await app.newOrg()
  const fields = {
    ...{ name: 'Nameplanted', amount_cents: 4_242_424_242, currency: 'CHF', stage: 'Negotiation' },
    ...{ owner_email: 'owner@planted.example', tags: ['tagplanted'], custom: { planted: 1 } },
    ...{
      external_ids: { planted: 'idplanted' },
      source: 'sourceplanted',
      contact_ids: [await newContact(org)],
    },
  }
  const id = await make(org, '/deals', fields)
  await org.post(`/deals/${id}/erase`)
  const dump = (await dumpTables(app)).toLowerCase().split('\n')
  expect(dump.filter((line) => line.includes('planted'))).toEqual([])
  const kept = dump.filter((line) => line.includes(id))
  expect(kept.filter((line) => /^public\.deal_(contact|key)/.test(line))).toEqual([])
  expect(kept.filter((line) => line.includes('4242424242'))).toEqual([])
})

describe('a deal stores the contacts and companies as sent, beside the canonical ones', () => {
  test('after its contacts and companies are merged, a deal is found by every id of them', async () => {
    const org = await app.newOrg()
    const [ada, eve] = [await newContact(org), await newContact(org)]
    const [acme, former] = [await newCompany(org), await newCompany(org)]
    const before = await make(org, '/deals', { name: 'Before', contact_ids: [eve, ada], company_id: former })
    await merge(org, 'contact', ada, eve)
    await merge(org, 'company', acme, former)
    const after = await make(org, '/deals', { name: 'After', contact_ids: [eve], company_id: former })
    for (const id of [before, after]) {
      expect(await read(org, id)).toMatchObject({ contact_ids: [ada], company_id: acme })
      const [raw] = await rows('select company_raw_id, company_id from deal where deal_id = $1', id)
      expect(raw).toEqual({ company_raw_id: former, company_id: acme })
      const links = await rows(
        'select contact_raw_id, contact_id from deal_contact where deal_id = $1 order by position',
        id,
      )
      expect(links[0]).toEqual({ contact_raw_id: eve, contact_id: ada })
    }
    for (const id of [ada, eve])
      expect((await org.get(`/deals?contact_id=${id}`)).body.pagination.total).toBe(2)
    for (const id of [acme, former])
      expect((await org.get(`/deals?company_id=${id}`)).body.pagination.total).toBe(2)
  })

  test('the id of an absorbed deal returns the survivor', async () => {
    const org = await app.newOrg()
    const [survivor, loser] = [
      await make(org, '/deals', { name: 'Survivor' }),
      await make(org, '/deals', { name: 'Loser', contact_ids: [await newContact(org)] }),
    ]
    await merge(org, 'deal', survivor, loser)
    const answer = await org.get(`/deals/${loser}`)
    expect(answer.headers.get('content-location')).toBe(`/api/v1/deals/${survivor}`)
    expect(answer.body.data).toMatchObject({ deal_id: survivor, contact_ids: [expect.any(String)] })
    const closed = await org.post(`/deals/${loser}/close`, { status: 'won' })
    expect(closed.body.data).toMatchObject({ deal_id: survivor, status: 'won' })
    expect((await org.get('/deals')).body.pagination.total).toBe(1)
  })
})

test('two concurrent upserts that add different contacts to a deal add both contacts', async () => {
  const org = await app.newOrg()
  const contacts = await Promise.all(Array.from({ length: 10 }, () => newContact(org)))
  const upsert = (contact_ids: string[]) =>
    org.post('/deals/upsert', { match_on: 'external_id', external_ids: { crm: '1' }, name: 'D', contact_ids })
  await upsert([])
  const answers = await Promise.all(contacts.map((id) => upsert([id])))
  expect(answers.map(({ status }) => status)).toEqual(contacts.map(() => 200))
  const [deal] = (await org.get('/deals')).body.data
  expect(deal.contact_ids.toSorted()).toEqual(contacts.toSorted())
})
