import { problemOf } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { MenuButton } from '../../../parts/menu.tsx'
import { count } from '../../../parts/numbers.ts'
import { RowActions } from '../../../parts/table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
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
  const up = useSubmit(() => move(-1))
  const down = useSubmit(() => move(1))
  const remove = { name: 'Remove', icon: 'trash' as const, danger: true, run: onRemove }
  return (
    <tr>
      <th scope="row">
        <span className="cut" title={stage}>
          {stage}
        </span>
      </th>
      <td>{deals === undefined ? '' : count(deals)}</td>
      <td>
        {mayManage && (
          <RowActions>
            <Button
              kind="quiet"
              icon="up"
              aria-label={`Move ${stage} up`}
              disabled={index === 0}
              isBusy={up.isBusy}
              onClick={() => up.submit()}
            />
            <Button
              kind="quiet"
              icon="down"
              aria-label={`Move ${stage} down`}
              disabled={index === last}
              isBusy={down.isBusy}
              onClick={() => down.submit()}
            />
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
