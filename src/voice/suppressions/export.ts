import type { Org } from '../../platform/db/org.ts'
import { csvColumns, csvLine } from './csv.ts'
import { readSuppressionsAfter } from './suppressions.ts'

/** Making a piece blocks other requests, so it must take a few milliseconds only. */
const rowsPerPiece = 250

/**
 * The org's suppressions as a CSV file, oldest first, in pieces: memory use does not depend on
 * their number. A number that is added or removed meanwhile may be in the file or not.
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
