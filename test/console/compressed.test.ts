import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { newMember } from '../support/members.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('only a page of the console that asks for it gets a long answer compressed', async () => {
  const org = await app.newOrg()
  const items = Array.from({ length: 20 }, (_, n) => ({ email: `ada${n}@acme.example` }))
  expect((await org.post('/contacts/batch', { items })).status).toBe(200)
  const owner = await newMember(app, org.orgId)
  const search = async (
    client: typeof org | typeof owner,
    limit: number,
    headers: Record<string, string>,
  ) => {
    const answer = await client.post('/contacts/search', { limit }, { headers })
    return { encoding: answer.headers.get('content-encoding'), body: answer.body }
  }
  const asking = { 'x-compress': '1', 'accept-encoding': 'gzip' }
  const [plain, packed] = [await search(owner, 20, {}), await search(owner, 20, asking)]
  expect([plain.encoding, packed.encoding]).toEqual([null, 'gzip'])
  expect(packed.body).toEqual(plain.body)
  expect(packed.body.data).toHaveLength(20)
  expect((await search(owner, 1, asking)).encoding).toBeNull()
  expect((await search(owner, 20, { ...asking, 'accept-encoding': 'identity' })).encoding).toBeNull()
  expect((await search(org, 20, asking)).encoding).toBeNull()
})

test('an answer of more than 256 KiB is not compressed, because its compression would take long', async () => {
  const org = await app.newOrg()
  const items = Array.from({ length: 10 }, (_, n) => ({
    last_name: `Ada ${n}`,
    custom: { text: 'x'.repeat(30_000) },
  }))
  expect((await org.post('/contacts/batch', { items })).status).toBe(200)
  const owner = await newMember(app, org.orgId)
  const headers = { 'x-compress': '1', 'accept-encoding': 'gzip' }
  const encodings = [5, 10].map(async (limit) => {
    const answer = await owner.get(`/contacts?limit=${limit}`, { headers })
    return [answer.status, answer.headers.get('content-encoding')]
  })
  expect(await Promise.all(encodings)).toEqual([
    [200, 'gzip'],
    [200, null],
  ])
})
