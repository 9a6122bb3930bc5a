import { randomUUID } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'

const app = await startTestApp({ publicUrl: 'https://crosswalk.example.com' })
afterAll(() => app.close())

test('the snippet of a write key loads the script from the public address, and starts it with the key', async () => {
  const org = await app.newOrg()
  const { key, write_key_id } = (await org.post('/write-keys', { name: 'Site' })).body.data
  const { status, body } = await org.get(`/tracking/snippet?write_key_id=${write_key_id}`)
  expect([status, body.data.write_key_id]).toEqual([200, write_key_id])
  const { snippet, script_url } = body.data as { snippet: string; script_url: string }
  expect(script_url).toBe('https://crosswalk.example.com/sdk/v1.js')
  expect(snippet).toContain(`<script async src="${script_url}"></script>`)
  expect(Buffer.byteLength(snippet)).toBeLessThan(500)
  // The calls of a page before the script has loaded.
  const [, source] = /^<script>(.*)<\/script>\n/.exec(snippet)!
  const page: { window?: object; crosswalk?: { q: ArrayLike<unknown>[] } } = {}
  page.window = createContext(page)
  runInContext(source!, page)
  expect(page.crosswalk!.q.map((call) => Array.from(call))).toEqual([['init', key]])
})

test('after a rotation, the snippet has the new key', async () => {
  const org = await app.newOrg()
  const { write_key_id } = (await org.post('/write-keys', { name: 'Site' })).body.data
  const { key } = (await org.post(`/write-keys/${write_key_id}/rotate`)).body.data
  expect((await org.get(`/tracking/snippet?write_key_id=${write_key_id}`)).body.data.snippet).toContain(key)
})

test('a snippet needs the id of a write key of the organization, and tracking:read', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const { write_key_id } = (await other.post('/write-keys', { name: 'Site' })).body.data
  for (const id of [write_key_id, randomUUID()])
    expect((await org.get(`/tracking/snippet?write_key_id=${id}`)).status).toBe(404)
  expect((await org.get('/tracking/snippet')).status).toBe(422)
  const writer = await app.newKey(other.orgId, { permissions: ['contacts:manage'] })
  expect((await writer.get(`/tracking/snippet?write_key_id=${write_key_id}`)).status).toBe(403)
})
