import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { stagesQuery } from '../../records/deals/queries.ts'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { CloseDialog, type Ending } from './close-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { useReopen } from './use-reopen.ts'

/**
 * What can be done with one deal: move it, close it, reopen it.
 * @param onDone called after a change, so that the page reads its lists again
 */
export function DealActs({
  deal,
  hasKeys = false,
  move,
  onDone,
}: {
  deal: Deal
  /** Whether the key m moves the deal. */
  hasKeys?: boolean
  move: (deal: Deal, stage: string) => Promise<void>
  onDone: () => void
}) {
  const scope = useScope()
  const stages = useQuery(stagesQuery(scope))
  const [open, setOpen] = useState<'move' | Ending | null>(null)
  const { status, archived_at } = deal
  const isOpen = status === 'open'
  const mayWrite = scope.can('deals:write') && archived_at === null
  const reopen = useReopen(onDone)
  const reopening = useSubmit(() => reopen(deal))
  useKey('m', () => hasKeys && mayWrite && isOpen && setOpen('move'))
  if (!mayWrite) return null
  return (
    <>
      {isOpen ? (
        <>
          <Button {...(hasKeys && { shortcut: 'M' })} onClick={() => setOpen('move')}>
            Move to …
          </Button>
          <Button icon="done" onClick={() => setOpen('won')}>
            Won
          </Button>
          <Button icon="cross" onClick={() => setOpen('lost')}>
            Lost
          </Button>
        </>
      ) : (
        <Button icon="rotate" isBusy={reopening.isBusy} onClick={() => reopening.submit()}>
          Reopen
        </Button>
      )}
      {open === 'move' && (
        <MoveDialog
          deal={deal}
          stages={stages.data?.stages ?? [deal.stage]}
          onClose={() => setOpen(null)}
          onChoose={(target) => {
            setOpen('status' in target ? target.status : null)
            if ('stage' in target) void move(deal, target.stage)
          }}
        />
      )}
      {(open === 'won' || open === 'lost') && (
        <CloseDialog deal={deal} status={open} onClose={() => setOpen(null)} onDone={onDone} />
      )}
    </>
  )
}
