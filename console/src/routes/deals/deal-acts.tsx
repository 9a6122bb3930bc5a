import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Deal } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { deals } from '../../records/deals/kind.ts'
import { stagesQuery } from '../../records/deals/queries.ts'
import type { ShownRecord } from '../../records/kinds.ts'
import { storeRecords } from '../../records/record-queries.ts'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { CloseDialog, type Ending } from './close-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'

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
  const { name, status, archived_at } = deal
  const isOpen = status === 'open'
  const mayWrite = scope.can('deals:write') && archived_at === null
  const reopen = useSubmit(
    async () => {
      try {
        return await scope.api.deals.reopen(deal.deal_id, { ifMatch: deal.version })
      } catch (error) {
        showToast(`“${name}” is not reopened: ${problemOf(error).text}`, 'bad')
        onDone()
        throw error
      }
    },
    {
      onDone: (saved) => {
        storeRecords(deals, scope.orgId, [saved as unknown as ShownRecord])
        showToast(`“${name}” is open again, in ${saved.stage}.`, 'ok', undefined, saved.deal_id)
        onDone()
      },
    },
  )
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
        <Button icon="rotate" isBusy={reopen.isBusy} onClick={() => reopen.submit()}>
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
