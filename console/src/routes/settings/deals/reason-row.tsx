import type { CloseReason } from '../../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { MenuButton } from '../../../parts/menu.tsx'
import { MoveButtons } from '../../../parts/move-buttons.tsx'
import { RowActions } from '../../../parts/table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { outcomeWords } from './outcomes.ts'

/** Runs a change of a close reason, and says if it failed. */
async function act(label: string, work: () => PromiseLike<unknown>, onDone: () => void): Promise<void> {
  try {
    await work()
  } catch (error) {
    showToast(`“${label}” is not changed: ${problemOf(error).text}`, 'bad')
  }
  onDone()
}

const useAct = (label: string, work: () => PromiseLike<unknown>, onDone: () => void) =>
  useSubmit(() => act(label, work, onDone))

/** A close reason: for which deals it is, and its place among the others. */
export function ReasonRow({
  reason: { close_reason_id: id, label, outcome, version },
  index,
  last,
  canManage,
  onEdit,
  onDone,
}: {
  reason: CloseReason
  index: number
  /** The index of the last reason. */
  last: number
  canManage: boolean
  onEdit: () => void
  onDone: () => void
}) {
  const { closeReasons } = useScope().api.deals
  const move = (by: 1 | -1) =>
    act(label, () => closeReasons.update(id, { position: index + 1 + by }, { ifMatch: version }), onDone)
  const undo = useAct(
    label,
    async () => {
      await closeReasons.restore(id)
      // A restored reason is the last one.
      await closeReasons.update(id, { position: index + 1 })
    },
    onDone,
  )
  const archive = useAct(
    label,
    async () => {
      await closeReasons.archive(id, { ifMatch: version })
      showToast(`“${label}” is archived.`, 'ok', { name: 'Undo', run: () => undo.submit() })
    },
    onDone,
  )
  return (
    <tr>
      <th scope="row">
        <span className="cut" title={label}>
          {label}
        </span>
      </th>
      <td>{outcomeWords[outcome]}</td>
      <td>
        {canManage && (
          <RowActions>
            <MoveButtons label={label} index={index} last={last} onMove={move} />
            <MenuButton
              label={`Actions for ${label}`}
              acts={[
                { name: 'Edit', icon: 'pencil', run: onEdit },
                { name: 'Archive', icon: 'archive', run: () => archive.submit() },
              ]}
            />
          </RowActions>
        )}
      </td>
    </tr>
  )
}

/** An archived close reason. Deals that have it keep it. */
export function ArchivedReasonRow({
  reason: { close_reason_id: id, label, outcome },
  canManage,
  onDone,
}: {
  reason: CloseReason
  canManage: boolean
  onDone: () => void
}) {
  const { closeReasons } = useScope().api.deals
  const restore = useAct(
    label,
    async () => {
      await closeReasons.restore(id)
      showToast(`“${label}” is the last close reason.`)
    },
    onDone,
  )
  return (
    <tr>
      <th scope="row">
        <span className="cut" title={label}>
          {label}
        </span>
      </th>
      <td>{outcomeWords[outcome]}</td>
      <td>
        {canManage && (
          <RowActions>
            <Button
              kind="quiet"
              icon="rotate"
              aria-label={`Restore ${label}`}
              isBusy={restore.isBusy}
              onClick={() => restore.submit()}
            >
              Restore
            </Button>
          </RowActions>
        )}
      </td>
    </tr>
  )
}
