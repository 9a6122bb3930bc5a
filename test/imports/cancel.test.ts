import { afterAll, expect, test, vi } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { importCsv, untilEnded, uploadCsv } from '../support/csv-imports.ts'
import { patience } from '../support/patience.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const rows = 20_000
const csv = `email\n${Array.from({ length: rows }, (_, n) => `person${n}@example.com\n`).join('')}`

const read = async (org: TestOrg, id: string) => (await org.get(`/imports/${id}`)).body.data
const activeContacts = async (org: TestOrg) => (await org.get('/contacts?limit=1')).body.pagination.total

test('a running import stops when it is canceled; its records stay, and a revert archives them', async () => {
  const org = await app.newOrg()
  const id: string = (await uploadCsv(org, csv)).body.data.import_id
  await vi.waitFor(async () => expect((await read(org, id)).counts.rows_read).toBeGreaterThan(0), {
    ...patience,
    interval: 10,
  })
  const answer = await org.post(`/imports/${id}/cancel`)
  expect(answer.status).toBe(200)
  const { counts, ...canceled } = answer.body.data
  expect(canceled).toMatchObject({ status: 'canceled', error: null, finished_at: expect.any(Number) })
  expect(counts.rows_read).toBeLessThan(rows)
  expect(await activeContacts(org)).toBe(counts.created)
  expect((await org.post(`/imports/${id}/cancel`)).body.data).toEqual(answer.body.data)

  expect((await org.post(`/imports/${id}/revert`)).status).toBe(202)
  const reverted = await untilEnded(org, id)
  expect(reverted).toMatchObject({ status: 'reverted', counts: { ...counts, reverted: counts.created } })
  expect(await activeContacts(org)).toBe(0)
  const events = (await org.get(`/events?object_id=${id}`)).body.data
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    ...['import.reverted', 'import.reverting', 'import.canceled', 'import.created'],
  ])
})

test('an import that has ended cannot be canceled, and a key needs the write permission', async () => {
  const org = await app.newOrg()
  const { import_id: id } = await importCsv(org, 'email\nada@example.com\n')
  const late = await org.post(`/imports/${id}/cancel`)
  expect([late.status, late.body.code]).toEqual([409, 'job_already_ended'])
  expect((await read(org, id)).status).toBe('succeeded')
  const reader = await app.newKey(org.orgId, { permissions: ['contacts:read', 'companies:write'] })
  const refused = await reader.post(`/imports/${id}/cancel`)
  expect([refused.status, refused.body.code]).toEqual([403, 'permission_missing'])
})
