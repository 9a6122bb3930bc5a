import { useQueryClient } from '@tanstack/react-query'
import type { Import } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'

/** Cancels an import that waits or runs. What it wrote stays, and can be reverted afterwards, so nobody is asked. */
export function CancelButton({ found: { import_id: importId, dry_run: isCheck } }: { found: Import }) {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const { submit, isBusy, rest, error } = useSubmit(async () => api.imports.cancel(importId), {
    onDone: (canceled) => queries.setQueryData(['import', orgId, importId], canceled),
  })
  return (
    <div className="rail wrap">
      <Button isBusy={isBusy} onClick={() => submit()}>
        Cancel {isCheck ? 'the check' : 'import'}
      </Button>
      {error !== null && (
        <span className="bad" role="alert">
          {rest}
        </span>
      )}
    </div>
  )
}
