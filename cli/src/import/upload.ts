import type { Crosswalk, DateOrder, DecimalSign, Import } from '../../../sdk/src/main.ts'
import { type Importable, importFile } from '../../../sdk/src/node.ts'
import type { Context } from '../context.ts'
import { Progress } from '../terminal/progress.ts'
import type { ImportedFile } from './source.ts'

/** All tries of the upload have one idempotency key, so no row is imported twice after a lost answer. */
const maxRetries = 10

/** Sends the file, and waits until the import has ended. */
export async function upload(
  context: Context,
  client: Crosswalk,
  type: 'contacts' | 'companies',
  file: ImportedFile,
  mapping: Record<string, string>,
): Promise<Import> {
  const { io, values } = context
  const text = (flag: string) => values[flag] as string | undefined
  const rows = await file.rows()
  const progress = new Progress(io)
  progress.update(0, 'sending the file')
  let importId: string | null = null
  try {
    const { import_id } = await importFile(client[type] as Importable, file.path, {
      ...(file.name === null ? { file_name: undefined } : {}),
      mapping: Object.keys(mapping).length > 0 ? mapping : undefined,
      encoding: text('encoding'),
      match_on: text('match-on'),
      default_country: text('default-country'),
      decimal_sign: text('decimal-sign') as DecimalSign | undefined,
      date_order: text('date-order') as DateOrder | undefined,
      dry_run: values['dry-run'] ? true : undefined,
      onProgress: ({ bytes, bytesTotal }) =>
        progress.update(bytes / Math.max(1, bytesTotal), 'of the file sent'),
      options: { signal: io.signal, maxRetries },
    })
    importId = import_id
    return await client.imports.wait(import_id, {
      signal: io.signal,
      maxRetries,
      pollMs: 500,
      onProgress: (state) => progress.update(shareOf(state, rows), countsText(state)),
    })
  } catch (error) {
    progress.stop()
    if (importId !== null)
      await context.say(`The import continues without this command:\n  crosswalk imports get ${importId}`)
    throw error
  } finally {
    progress.stop()
  }
}

function shareOf({ counts }: Import, rows: number | null): number | null {
  return rows === null || rows === 0 ? null : Math.min(1, counts.rows_read / rows)
}

const countsText = ({ counts: { rows_read, refused } }: Import): string =>
  `${rows_read.toLocaleString('en')} rows imported, ${refused.toLocaleString('en')} refused`
