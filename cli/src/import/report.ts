import type { Import } from '../../../sdk/src/main.ts'
import { visible } from '../output/visible.ts'

type Imported = 'contacts' | 'companies'

const singular: Record<Imported, string> = { contacts: 'contact', companies: 'company' }
const shown = (count: number): string => count.toLocaleString('en')
const rowsText = (count: number): string => `${shown(count)} ${count === 1 ? 'row' : 'rows'}`

/** Returns the result of an import, for people. */
export function reportLines(type: Imported, ended: Import): string[] {
  const { import_id, status, counts, refused_by_code: codes, dry_run: isDry, error } = ended
  const { rows_read, created, updated, unchanged, refused, unreadable } = counts
  const parts = [
    `${shown(created)} ${created === 1 ? singular[type] : type} created`,
    ...(updated > 0 ? [`${shown(updated)} updated`] : []),
    ...(unchanged > 0 ? [`${shown(unchanged)} unchanged`] : []),
    `${rowsText(refused)} refused`,
  ]
  return [
    ...(isDry ? ['Dry run: nothing was written. An import would end with this result:'] : []),
    `${rowsText(rows_read)} read: ${parts.join(', ')}.`,
    ...Object.entries(codes ?? {}).map(([code, count]) => `  ${code}: ${shown(count)}`),
    ...(unreadable > 0
      ? [
          `${rowsText(unreadable)} with an e-mail address or phone number that cannot be read: its text is kept.`,
        ]
      : []),
    ...(error ? [`The import has ${status}: ${visible(error.message)}`] : []),
    ...(refused > 0 ? ['To see the refused rows:', `  crosswalk imports rows list ${import_id}`] : []),
    ...(isDry || created + updated === 0
      ? []
      : ['To revert the import:', `  crosswalk imports revert ${import_id}`]),
  ]
}
