import { useScope } from '../../shell/scope.tsx'
import { countOf } from '../kinds.ts'
import { changeRecords } from './batches.ts'
import { OwnerSelect, useChosenOwner } from './owner-select.tsx'
import { type SelectionChange, SelectionDialog } from './selection-dialog.tsx'

/** Gives the selected records an owner. */
export function OwnerDialog({ kind, ids, onClose, onDone }: SelectionChange) {
  const { api } = useScope()
  const owner = useChosenOwner()
  const { id = null, name } = owner
  return (
    <SelectionDialog
      title={`Owner of ${countOf(kind, ids.length)}`}
      act="Change the owner"
      ids={ids}
      isBlocked={owner.id === undefined}
      change={(steps) => changeRecords(kind, api, ids, { owner_id: id }, steps)}
      onClose={onClose}
      onDone={(result) => onDone(result, id === null ? 'lost their owner' : `got the owner ${name}`)}
    >
      <OwnerSelect owner={owner} />
    </SelectionDialog>
  )
}
