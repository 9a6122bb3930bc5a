import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { showToast } from '../../parts/toast.tsx'
import { deals } from '../../records/deals/kind.ts'
import { useAskedNew } from '../../records/list/use-asked-new.ts'
import { reloadLists } from '../../records/record-queries.ts'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { DealDialog } from './deal-dialog.tsx'

/** Creates a deal. */
export function NewDealButton({
  onDone,
}: {
  /** By default the lists are read again. */
  onDone?: () => void
}) {
  const { orgId, can } = useScope()
  const [isOpen, setOpen] = useState(false)
  const mayCreate = can('deals:write')
  useKey('c', () => mayCreate && setOpen(true))
  useAskedNew(() => setOpen(true))
  if (!mayCreate) return null
  return (
    <>
      <Button kind="main" icon="plus" shortcut="C" onClick={() => setOpen(true)}>
        <span className="wide-label">New deal</span>
      </Button>
      {isOpen && (
        <DealDialog
          onClose={() => setOpen(false)}
          onDone={(deal) => {
            setOpen(false)
            showToast(`“${deal.name}” is created.`)
            if (onDone) onDone()
            else void reloadLists(deals, orgId)
          }}
        />
      )}
    </>
  )
}
