import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'
import { messyFile } from '../support/messy-file.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('importing a German Excel file refuses no row because of its e-mail address or phone number', async () => {
  const org = await app.newOrg({ country: 'DE' })
  const done = await importCsv(org, messyFile(600))
  const refusals = (await org.get(`/imports/${done.import_id}/rows`)).body.data
  expect([done.encoding, done.counts, refusals]).toEqual([
    'windows-1252',
    expect.objectContaining({ rows_read: 600, created: 600, refused: 0 }),
    [],
  ])
  expect(done.columns.map(({ field }: { field: string }) => field)).toEqual(
    expect.arrayContaining(['first_name', 'last_name', 'company_name', 'city', 'country', 'email', 'phone']),
  )
  const { data } = (await org.get('/contacts?q=Özdemir&limit=100')).body
  expect(data.length).toBeGreaterThan(10)
})
