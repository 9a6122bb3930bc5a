import type { Org } from '../../platform/db/org.ts'
import { csvColumns, csvLine } from './csv.ts'
import { readSuppressionsAfter } from './suppressions.ts'

/** Making a piece blocks other requests, so a piece must take only a few milliseconds. */
const rowsPerPiece = 250

/**
 * Exports the org's suppressions as a CSV file, oldest first. The file is made in pieces, so that memory use
 * does not depend on the number of suppressions. If a number is added or removed during the export, the file
 * may or may not contain it.
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
