import { stat } from 'node:fs/promises'
import { type Crosswalk, CrosswalkError, type Import } from '../../../sdk/src/main.ts'
import type { Context } from '../context.ts'
import type { ImportedFile } from './source.ts'

/** Imports that began longer ago are not mentioned. */
const daySeconds = 24 * 60 * 60

/** The statuses of imports whose rows are in the organization, or will be. */
const kept = new Set<Import['status']>(['queued', 'running', 'succeeded'])

/**
 * Tells the person if a file with this name and size was imported in the last day: the import of a killed command may
 * continue on the server. With --match-on, the rows update the records of that import.
 */
export async function sayEarlierImport(
  context: Context,
  client: Crosswalk,
  type: 'contacts' | 'companies',
  file: ImportedFile,
): Promise<void> {
  const { values } = context
  if (file.name === null || values['match-on'] !== undefined || values['dry-run']) return
  const earlier = await findEarlier(context, client, type, file)
  if (!earlier) return
  const minutes = Math.max(0, Math.round((Date.now() / 1000 - earlier.created_at) / 60))
  const lines = [
    `A file with this name and size was imported ${minutes} min ago, and that import is ${earlier.status}:`,
    `  crosswalk imports get ${earlier.import_id}`,
    'Without --match-on, this import creates its records again.',
  ]
  await context.say(lines.join('\n'))
}

/** If the server does not answer, there is no hint, and the import continues. */
async function findEarlier(
  { io }: Context,
  client: Crosswalk,
  type: 'contacts' | 'companies',
  file: ImportedFile,
): Promise<Import | undefined> {
  const size = await stat(file.path).then(
    (found) => found.size,
    () => null,
  )
  const listed = await client.imports.list({ limit: 20 }, { signal: io.signal }).catch((error) => {
    if (error instanceof CrosswalkError) return null
    throw error
  })
  const entity = type === 'contacts' ? 'contact' : 'company'
  return listed?.data.find(
    ({ file_name, bytes_total, entity_type, status, dry_run, created_at }) =>
      file_name === file.name &&
      bytes_total === size &&
      entity_type === entity &&
      kept.has(status) &&
      !dry_run &&
      created_at > Date.now() / 1000 - daySeconds,
  )
}
