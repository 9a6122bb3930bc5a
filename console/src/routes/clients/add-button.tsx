import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreatedAgencyInvitation } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { AddDialog } from './add-dialog.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { useRefresh } from './use-refresh.ts'

/** The button that adds a client, with its dialogs; nothing if the role of the person may not add one. */
export function AddButton() {
  const { orgId, can } = useScope()
  const queries = useQueryClient()
  const refresh = useRefresh()
  const [open, setOpen] = useState<'add' | CreatedAgencyInvitation | null>(null)
  const mayAdd = can('agency:write') || can('agency:manage')
  useKey('c', () => mayAdd && setOpen('add'))
  if (!mayAdd) return null
  return (
    <>
      <Button kind="main" icon="plus" shortcut="C" onClick={() => setOpen('add')}>
        <span className="wide-label">Add a client</span>
      </Button>
      {open === 'add' && (
        <AddDialog
          onClose={() => setOpen(null)}
          onAdded={(added) => {
            if ('invitation' in added) {
              setOpen(added.invitation)
              void queries.invalidateQueries({ queryKey: ['client-invitations', orgId] })
            } else {
              setOpen(null)
              showToast(`${added.client.name} is a client now.`)
              refresh()
            }
          }}
        />
      )}
      {open !== null && open !== 'add' && <TokenDialog invitation={open} onClose={() => setOpen(null)} />}
    </>
  )
}
