import type { CsvRow } from '../csv/csv-rows.ts'

/** Rows that are stored together. */
export type Lot = {
  /**
   * The number of rows in the file before this lot. This number identifies the lot, because the same file is always
   * divided into the same lots.
   */
  firstRow: number
  rows: CsvRow[]
}

// Limits memory: a row may have 1 MiB, and a thousand such rows would need too much.
const charactersPerLot = 4 * 1024 * 1024

/** Groups the rows of a file into lots. The lots depend on `rowsPerLot`, and not on the sizes of the batches. */
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
