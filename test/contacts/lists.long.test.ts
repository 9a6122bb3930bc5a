import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Page = {
  data: { contact_id: string }[]
  pagination: Record<string, unknown> & { next_cursor: string | null }
}

async function newContacts(
  org: TestOrg,
  count: number,
  fields: (n: number) => object = () => ({}),
): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < count; start += 500) {
    const items = Array.from({ length: Math.min(500, count - start) }, (_, n) => ({
      ...{ first_name: `P${start + n}` },
      ...fields(start + n),
    }))
    const { body } = await org.post('/contacts/batch', { items })
    ids.push(...body.data.map(({ contact_id }: { contact_id: string }) => contact_id))
  }
  return ids
}

const idsOf = ({ data }: Page) => data.map(({ contact_id }) => contact_id)

async function walk(
  org: TestOrg,
  query: string,
  between: (page: Page) => unknown = () => {},
): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await org.get(`/contacts?${query}${cursor && `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    pages.push(body)
    cursor = body.pagination.next_cursor
    await between(body)
  }
  return pages
}

const refusal = async (org: TestOrg, path: string) => {
  const { status, body } = await org.get(path)
  return [status, body.detail?.[0]?.loc]
}

test('a list may be empty, has 25 items by default, and accepts limits from 1 to 500', async () => {
  const org = await app.newOrg()
  const none = { has_next: false, limit: 25, next_cursor: null, page: 1, total: 0 }
  expect((await org.get('/contacts')).body).toEqual({ data: [], pagination: none })
  const ids = (await newContacts(org, 101)).reverse()
  const first = (await org.get('/contacts')).body
  expect(idsOf(first)).toEqual(ids.slice(0, 25))
  expect(first.pagination).toEqual({ ...none, has_next: true, next_cursor: expect.any(String), total: 101 })
  expect(idsOf((await org.get('/contacts?limit=100')).body)).toEqual(ids.slice(0, 100))
  expect(idsOf((await org.get('/contacts?limit=1')).body)).toEqual(ids.slice(0, 1))
  for (const limit of ['0', '501', '-1', 'ten', '1.5', ''])
    expect(await refusal(org, `/contacts?limit=${limit}`)).toEqual([422, ['query', 'limit']])
  for (const page of ['0', '-1', 'x'])
    expect(await refusal(org, `/contacts?page=${page}`)).toEqual([422, ['query', 'page']])
})

test('contacts are listed newest first by created_at and id, even if one batch or several writers created them', async () => {
  const org = await app.newOrg()
  await Promise.all(Array.from({ length: 8 }, (_, n) => newContacts(org, 20, () => ({ city: `${n}` }))))
  const [row] = await app.operate((tx) =>
    tx.rows<{ listed: string[]; ordered: string[]; exact: boolean }>({
      text: `
        select array_agg(contact_id order by contact_id desc) as listed,
          array_agg(contact_id order by created_at desc, contact_id desc) as ordered,
          bool_and(floor(extract(epoch from created_at) * 1000) = ('x' || translate(left(contact_id::text, 13), '-', ''))::bit(48)::bigint) as exact
        from contact where org_id = $1`,
      values: [org.orgId],
    }),
  )
  expect(row!.listed).toEqual(row!.ordered)
  expect(row!.exact).toBe(true)
  expect((await walk(org, 'limit=50')).flatMap(idsOf)).toEqual(row!.listed)
})

test('page and cursor return the same contacts, and the page number increases when following cursors', async () => {
  const org = await app.newOrg()
  const ids = (await newContacts(org, 95)).reverse()
  const pages = await walk(org, 'limit=10')
  expect(pages.flatMap(idsOf)).toEqual(ids)
  for (const [at, byCursor] of pages.entries()) {
    const byPage = (await org.get(`/contacts?limit=10&page=${at + 1}`)).body
    expect(byPage).toEqual(byCursor)
    expect(byPage.pagination).toMatchObject({ page: at + 1, total: 95, limit: 10, has_next: at < 9 })
  }
  const third = (await org.get('/contacts?limit=10&page=3')).body
  const next = (await org.get(`/contacts?limit=40&cursor=${third.pagination.next_cursor}`)).body
  expect([idsOf(next), next.pagination.page]).toEqual([ids.slice(30, 70), 4])
  const beyond = (await org.get('/contacts?limit=10&page=11')).body
  expect(beyond).toEqual({
    data: [],
    pagination: { has_next: false, limit: 10, next_cursor: null, page: 11, total: 95 },
  })
})

test('`page` reaches at most the first 10,000 items, and the error for later pages names `cursor`', async () => {
  const org = await app.newOrg()
  for (const query of ['page=400', 'page=100&limit=100', 'page=10000&limit=1'])
    expect((await org.get(`/contacts?${query}`)).status).toBe(200)
  for (const query of [
    'page=401',
    'page=101&limit=100',
    'page=10001&limit=1',
    'page=9007199254740991&limit=100',
  ]) {
    const { status, body } = await org.get(`/contacts?${query}`)
    expect([status, body.detail[0]]).toEqual([
      422,
      expect.objectContaining({ loc: ['query', 'page'], msg: expect.stringContaining('cursor') }),
    ])
  }
})

describe('invalid and valid cursors', () => {
  test('a cursor that was edited, or that belongs to another list, organization or filter, gets 422', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    for (const each of [org, other]) await newContacts(each, 3, () => ({ tags: ['t'], email: 'a@x.example' }))
    const cursor = (await org.get('/contacts?limit=1')).body.pagination.next_cursor as string
    expect((await org.get(`/contacts?limit=1&cursor=${cursor}`)).status).toBe(200)
    const refused = async (path: string, by = org) =>
      expect([path, await refusal(by, path)]).toEqual([path, [422, ['query', 'cursor']]])
    await refused(`/contacts?cursor=${cursor}`, other)
    await refused(`/companies?cursor=${cursor}`)
    await refused(`/events?cursor=${cursor}`)
    for (const filter of ['tag=t', 'email=a@x.example', 'q=p', 'updated_since=0', 'archived=true'])
      await refused(`/contacts?${filter}&cursor=${cursor}`)
    const filtered = (await org.get('/contacts?limit=1&tag=t')).body.pagination.next_cursor
    for (const filter of ['', 'tag=u', 'tag=t&q=p']) await refused(`/contacts?${filter}&cursor=${filtered}`)
    for (const wrong of [
      '',
      'x',
      'null',
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      cursor.toUpperCase(),
    ])
      await refused(`/contacts?cursor=${encodeURIComponent(wrong)}`)
    for (let at = 0; at < cursor.length; at++) {
      const changed = cursor[at] === 'A' ? 'B' : 'A'
      await refused(`/contacts?cursor=${cursor.slice(0, at)}${changed}${cursor.slice(at + 1)}`)
    }
    expect(await refusal(org, `/contacts?cursor=${'x'.repeat(1025)}`)).toEqual([422, ['query', 'cursor']])
  })

  test('a cursor stays valid after its contact is archived or erased', async () => {
    const org = await app.newOrg()
    const ids = (await newContacts(org, 6)).reverse()
    const first = (await org.get('/contacts?limit=2')).body
    await org.delete(`/contacts/${ids[1]}`)
    await org.post(`/contacts/${ids[2]}/erase`)
    const next = (await org.get(`/contacts?limit=2&cursor=${first.pagination.next_cursor}`)).body
    expect([idsOf(next), next.pagination.total, next.pagination.page]).toEqual([ids.slice(3, 5), 4, 2])
  })
})

test('following the cursors of 250 contacts during concurrent writes returns each contact exactly once', async () => {
  const queries = fc.constantFrom('', 'tag=walked', 'q=walked', 'updated_since=0')
  await fc.assert(
    fc.asyncProperty(
      queries,
      fc.integer({ min: 20, max: 60 }),
      fc.infiniteStream(fc.nat(249)),
      async (query, limit, picks) => {
        const org = await app.newOrg()
        const ids = await newContacts(org, 250, () => ({ last_name: 'Walked', tags: ['walked'] }))
        const archived = new Set<string>()
        const pages = await walk(org, `limit=${limit}&${query}`, async () => {
          const writes = picks.take(8)
          await Promise.all(
            [...writes].map(async (pick, n) => {
              if (n % 2 === 0) return org.post('/contacts', { last_name: 'Walked', tags: ['walked'] })
              archived.add(ids[pick]!)
              return n % 4 === 1
                ? org.delete(`/contacts/${ids[pick]}`)
                : org.post(`/contacts/${ids[pick]}/erase`)
            }),
          )
        })
        const seen = pages.flatMap(idsOf)
        expect(seen).toEqual(seen.toSorted().reverse())
        expect(new Set(seen).size).toBe(seen.length)
        expect(ids.filter((id) => !archived.has(id) && !seen.includes(id))).toEqual([])
        // Contacts created during the reading are newer than the current page, so no page shows them.
        expect(seen.filter((id) => !ids.includes(id))).toEqual([])
        for (const { pagination } of pages) expect(pagination.total).toEqual(expect.any(Number))
      },
    ),
    { numRuns: runs(3, 6) },
  )
})
