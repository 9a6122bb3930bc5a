import type { RecordFilter } from '../../../../sdk/src/generated/types.ts'
import { problemElsewhere } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { saveFile } from '../../parts/download.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'
import { comparisonOf, conditionsOf, defaultSort } from '../filters/conditions.ts'
import type { RecordKind } from '../kinds.ts'
import type { ListSearch } from '../list-search.ts'

/** Saves all records that the list shows as a CSV file, in the order of the list. */
export function ExportButton({ kind, search }: { kind: RecordKind; search: ListSearch }) {
  const { api } = useScope()
  const query = exportQuery(search)
  const form = useSubmit(async () => {
    if (query === null) return
    try {
      const file = await new Response(await api[kind.resource].export(query)).blob()
      saveFile(file, `${kind.many}-${new Date().toISOString().slice(0, 10)}.csv`)
    } catch (error) {
      showToast(`Not exported: ${problemElsewhere(error, [])}`, 'bad')
    }
  })
  return (
    <Button
      kind="quiet"
      icon="import"
      isBusy={form.isBusy}
      disabled={query === null}
      title={query === null ? 'A filter with “or” or “not” cannot be exported' : undefined}
      onClick={() => form.submit()}
    >
      Export
    </Button>
  )
}

/** The filters as the export expects them; null: they have parts that an address cannot have. */
function exportQuery({ q, filter, sort = defaultSort, archived }: ListSearch): Record<string, string> | null {
  const query: Record<string, string> = { sort }
  if (q !== undefined) query.q = q
  if (archived) query.archived = 'true'
  for (const condition of conditionsOf(filter)) {
    const name = nameOf(condition)
    // An address can have a filter only once.
    if (name === null || name in query) return null
    const { value } = condition
    query[name] = Array.isArray(value) ? value.join(',') : String(value)
  }
  return query
}

function nameOf(condition: RecordFilter): string | null {
  const comparison = comparisonOf(condition)
  if (!comparison) return null
  const { field, op, value } = comparison
  const hasComma = Array.isArray(value) && value.some((one) => String(one).includes(','))
  return hasComma ? null : op === 'eq' ? field : `${field}[${op}]`
}
