import type { CsvRow } from '../csv/csv-rows.ts'

/** A lot: rows of a file that one transaction stores. */
export type Lot = {
  /**
   * The number of rows before this lot. The same file always gives the same lots, so this number
   * identifies the lot.
   */
  firstRow: number
  rows: CsvRow[]
}

// A row can have 1 MiB, so a thousand rows could fill the memory.
const charactersPerLot = 4 * 1024 * 1024

/** Groups the rows of a file into lots. The lots depend only on `rowsPerLot`, not on the batches. */
export async function* lotsOf(
  batches: AsyncIterable<CsvRow[]>,
  rowsPerLot = 1_000,
): AsyncGenerator<Lot, void> {
  let lot: Lot = { firstRow: 0, rows: [] }
  let characters = 0
  for await (const batch of batches) {
    for (const row of batch) {
      lot.rows.push(row)
      if ('cells' in row) for (const cell of row.cells) characters += cell.length
      if (lot.rows.length < rowsPerLot && characters < charactersPerLot) continue
      yield lot
      lot = { firstRow: lot.firstRow + lot.rows.length, rows: [] }
      characters = 0
    }
  }
  if (lot.rows.length > 0) yield lot
}
