import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readCsv } from './csv.ts'
import type { CsvRow } from './csv-rows.ts'

test('the CSV reader stops if too many rows are broken', async () => {
  const file = Buffer.from(`a,b\n${'a" ,"b\n'.repeat(400_000)}`)
  const csv = await readCsv(Readable.from([file]))
  if ('problem' in csv) throw new Error(csv.problem)
  const rows: CsvRow[] = []
  for await (const batch of csv.rows) rows.push(...batch)
  expect(rows.length).toBeLessThan(100)
  expect(rows.at(-1)).toMatchObject({ stopped: true })
})
