import { useQueryClient } from '@tanstack/react-query'
import type { Import } from '../../../../sdk/src/generated/types.ts'
import { Confirmation } from '../../parts/confirmation.tsx'
import { countOf } from '../../records/kinds.ts'
import { useScope } from '../../shell/scope.tsx'
import { reloadImports } from './import-queries.ts'
import { kindOf, nameOf } from './import-words.ts'

/** Asks before an import is reverted, and says what the revert does. */
export function RevertDialog({ found, onClose }: { found: Import; onClose: () => void }) {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const kind = kindOf(found)
  const { created, updated } = found.counts
  return (
    <Confirmation
      title={`Revert ${nameOf(found)}?`}
      act="Revert import"
      work={() => api.imports.revert(found.import_id)}
      onClose={onClose}
      onDone={(reverting) => {
        queries.setQueryData(['import', orgId, found.import_id], reverting)
        void reloadImports(orgId)
        onClose()
      }}
    >
      <ul className="stack g4">
        {created > 0 && <li>{countOf(kind, created)} that the import created will be archived.</li>}
        {updated > 0 && (
          <li>{countOf(kind, updated)} that the import changed will get their earlier values again.</li>
        )}
        <li>What somebody changed since the import stays as it is.</li>
      </ul>
    </Confirmation>
  )
}
