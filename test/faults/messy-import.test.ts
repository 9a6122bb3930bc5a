import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'
import { messyFile } from '../support/messy-file.ts'

const app = await startTestApp()
afterAll(() => app.close())

test('20,000 rows of a German Excel file are imported without a refusal', { timeout: 300_000 }, async () => {
  const org = await app.newOrg({ country: 'DE' })
  const done = await importCsv(org, messyFile(20_000))
  expect([done.refused_by_code, done.counts]).toMatchObject([{}, { created: 20_000, refused: 0 }])
})
