import type { Deal } from '../../../../../sdk/src/generated/types.ts'
import { showToast } from '../../../parts/toast.tsx'
import { CloseDialog, type Ending } from '../close-dialog.tsx'
import { DealDialog } from '../deal-dialog.tsx'
import { MoveDialog, type Target } from '../move-dialog.tsx'

export type OpenDialog =
  | { kind: 'move'; deal: Deal }
  | { kind: 'close'; deal: Deal; status: Ending }
  | { kind: 'new'; stage: string }

/** The dialog that is open over the board. */
export function BoardDialog({
  open,
  stages,
  onPlace,
  onClose,
  onDone,
}: {
  open: OpenDialog
  stages: readonly string[]
  onPlace: (deal: Deal, target: Target) => void
  onClose: () => void
  /** Called after a change that the board does not show yet. */
  onDone: () => void
}) {
  if (open.kind === 'move')
    return (
      <MoveDialog
        deal={open.deal}
        stages={stages}
        onClose={onClose}
        onChoose={(target) => {
          onClose()
          onPlace(open.deal, target)
        }}
      />
    )
  if (open.kind === 'close')
    return <CloseDialog deal={open.deal} status={open.status} onClose={onClose} onDone={onDone} />
  return (
    <DealDialog
      stage={open.stage}
      onClose={onClose}
      onDone={({ name }) => {
        onClose()
        showToast(`“${name}” is created.`)
        onDone()
      }}
    />
  )
}
