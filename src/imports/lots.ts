import type { CsvRow } from './csv-rows.ts'

/** Rows that are stored together. */
export type Lot = {
  /** How many rows of the file come before it: the lot's name, the same whenever the file is read. */
  firstRow: number
  rows: CsvRow[]
}

const rowsPerLot = 1_000
// Rows may have 1 MiB each: a thousand of them would be too much at once.
const charactersPerLot = 4 * 1024 * 1024

/** The rows of a file in lots, the same ones however the file comes in. */
export async function* lotsOf(batches: AsyncIterable<CsvRow[]>): AsyncGenerator<Lot, void> {
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
