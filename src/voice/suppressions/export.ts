import type { Org } from '../../platform/db/org.ts'
import { csvColumns, csvLine } from './csv.ts'
import { readSuppressionsAfter } from './suppressions.ts'

/** The number of rows in a piece. Making a piece blocks other requests for a few milliseconds. */
const rowsPerPiece = 250

/**
 * The org's suppressions as a CSV file, oldest first, in pieces that limit the memory. Numbers that change during the
 * export may be missing.
 */
export async function* exportSuppressions(org: Org): AsyncGenerator<string, void> {
  let text = `${csvColumns.join(',')}\r\n`
  for (let after: string | null = null; ; ) {
    const rows = await readSuppressionsAfter(org, after, rowsPerPiece)
    yield text + rows.map(csvLine).join('')
    text = ''
    if (rows.length < rowsPerPiece) return
    after = rows.at(-1)?.suppression_id ?? null
  }
}
