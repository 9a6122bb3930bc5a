import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CsvRow } from '../csv/csv-rows.ts'
import { lotsOf } from './lots.ts'

async function lots(batches: CsvRow[][]) {
  const found = []
  for await (const lot of lotsOf(
    (async function* () {
      yield* batches
    })(),
  ))
    found.push(lot)
  return found
}

const row = (line: number, characters: number): CsvRow => ({ line, cells: ['x'.repeat(characters)] })

test('lots contain each row once, have at most 1,000 rows, and are the same for any division into batches', async () => {
  const sizes = fc.array(fc.constantFrom(1, 1, 1, 900_000, 1_048_576), { maxLength: 40 })
  const cuts = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3_500 }), sizes, cuts, async (small, large, cuts) => {
      const rows = [...large, ...Array<number>(small).fill(1)].map((size, index) => row(index + 2, size))
      const batches: CsvRow[][] = []
      for (let from = 0, cut = 0; from < rows.length; cut++) {
        const size = cuts[cut % cuts.length] ?? 1
        batches.push(rows.slice(from, from + size))
        from += size
      }
      const found = await lots(batches)
      expect(found).toEqual(await lots([rows]))
      expect(found.flatMap((lot) => lot.rows)).toEqual(rows)
      let before = 0
      for (const { firstRow, rows } of found) {
        expect(firstRow).toBe(before)
        expect(rows.length).toBeLessThanOrEqual(1_000)
        const withoutLast = rows
          .slice(0, -1)
          .reduce((sum, r) => sum + ('cells' in r ? r.cells.join('').length : 0), 0)
        expect(withoutLast).toBeLessThan(4 * 1024 * 1024)
        before += rows.length
      }
    }),
    { numRuns: 60 },
  )
})
