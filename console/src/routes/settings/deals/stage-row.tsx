import { problemOf } from '../../../api/problem.ts'
import { MenuButton } from '../../../parts/menu.tsx'
import { MoveButtons } from '../../../parts/move-buttons.tsx'
import { count } from '../../../parts/numbers.ts'
import { RowActions } from '../../../parts/table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { moveWithin } from './move-within.ts'
import { useStages } from './use-stages.ts'

/** A stage: its name, its open deals, and its place among the others. */
export function StageRow({
  stage,
  deals,
  index,
  last,
  mayManage,
  onRename,
  onRemove,
}: {
  stage: string
  /** undefined: not known yet. */
  deals: number | undefined
  index: number
  /** The index of the last stage. */
  last: number
  mayManage: boolean
  onRename: () => void
  onRemove: () => void
}) {
  const change = useStages()
  const move = (by: 1 | -1) =>
    change((all) => {
      const at = all.indexOf(stage)
      return at < 0 ? null : { stages: moveWithin(all, at, at + by) }
    }).catch((error: unknown) => showToast(`${stage} is not moved: ${problemOf(error).text}`, 'bad'))
  const remove = { name: 'Remove', icon: 'trash' as const, danger: true, run: onRemove }
  return (
    <tr>
      <th scope="row">
        <span className="cut" title={stage}>
          {stage}
        </span>
      </th>
      <td className="num">{deals === undefined ? '' : count(deals)}</td>
      <td>
        {mayManage && (
          <RowActions>
            <MoveButtons label={stage} index={index} last={last} onMove={move} />
            <MenuButton
              label={`Actions for ${stage}`}
              acts={[{ name: 'Rename', icon: 'pencil', run: onRename }, ...(last > 0 ? [remove] : [])]}
            />
          </RowActions>
        )}
      </td>
    </tr>
  )
}
