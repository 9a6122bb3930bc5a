import { dayOfFile, ServerFileButton } from '../../parts/download.tsx'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'
import { queryOf } from '../list-query.ts'
import type { ListSearch } from '../list-search.ts'

/** Saves all records that the list shows as a CSV file, in the order of the list. Its times are local, and each own field has a column, as in the list. */
export function ExportButton({ kind, search }: { kind: RecordKind; search: ListSearch }) {
  const { api } = useScope()
  const query = exportQuery(search)
  return (
    <ServerFileButton
      kind="quiet"
      name={`${kind.many}-${dayOfFile()}.csv`}
      read={() => api[kind.resource].export(query ?? {})}
      failed="Not exported"
      disabled={query === null}
      title={query === null ? 'These filters are too long for an export' : undefined}
    >
      <span className="wide-label">Export</span>
    </ServerFileButton>
  )
}

/** The longest address that the server accepts has 16 KiB, with all headers. */
const conditionsMax = 10_000

/** What the list shows, as the export expects it; null: the filters are too long for an address. */
function exportQuery({ archived, ...search }: ListSearch): Record<string, string | undefined> | null {
  const { filter, ...query } = queryOf(search)
  const conditions = filter && JSON.stringify(filter)
  if (conditions && encodeURIComponent(conditions).length > conditionsMax) return null
  return {
    ...query,
    archived: String(archived ?? false),
    custom_columns: 'true',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(conditions && { conditions }),
  }
}
