import type { Field } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { listed } from '../../../parts/listed.ts'
import { MenuButton } from '../../../parts/menu.tsx'
import { RowActions } from '../../../parts/table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'
import { ConversionWords } from './conversion-words.tsx'
import { indexWords, typeNames } from './words.ts'

/** Shows one defined field: its names, its type, and where it is among the others. */
export function FieldRow({
  field: { field_id, label, description, key, type, options, position, index_state, conversion, version },
  mayManage,
  isFirst,
  isLast,
  onEdit,
  onRename,
  onDelete,
  onMoved,
}: {
  field: Field
  mayManage: boolean
  isFirst: boolean
  isLast: boolean
  onEdit: () => void
  /** undefined: the field has no options. */
  onRename: (() => void) | undefined
  onDelete: () => void
  onMoved: () => void
}) {
  const { api } = useScope()
  const move = async (to: number) => {
    try {
      await api.fields.update(field_id, { position: to }, { ifMatch: version })
    } catch {
      showToast(
        `${label} was not moved: somebody changed it, or the server did not answer. Try again.`,
        'bad',
      )
    }
    onMoved()
  }
  const up = useSubmit(() => move(position - 1))
  const down = useSubmit(() => move(position + 1))
  const name = typeNames.find(([one]) => one === type)?.[1] ?? type
  return (
    <tr>
      <th scope="row">
        <span className="cut" title={description ?? undefined}>
          {label}
        </span>
      </th>
      <td className="opt mono">{key}</td>
      <td title={listed(options)}>
        {name}
        {index_state && <span className="three"> · {indexWords[index_state]}</span>}
        {conversion && <ConversionWords {...conversion} />}
        {options.length > 0 && <span className="three opt">: {listed(options)}</span>}
      </td>
      <td>
        {mayManage && (
          <RowActions>
            <Button
              kind="quiet"
              icon="up"
              aria-label={`Move ${label} up`}
              disabled={isFirst}
              isBusy={up.isBusy}
              onClick={() => up.submit()}
            />
            <Button
              kind="quiet"
              icon="down"
              aria-label={`Move ${label} down`}
              disabled={isLast}
              isBusy={down.isBusy}
              onClick={() => down.submit()}
            />
            <MenuButton
              label={`Actions for ${label}`}
              acts={[
                { name: 'Edit', icon: 'pencil', run: onEdit },
                ...(onRename ? [{ name: 'Rename an option', icon: 'pencil', run: onRename } as const] : []),
                { name: 'Delete', icon: 'trash', danger: true, run: onDelete },
              ]}
            />
          </RowActions>
        )}
      </td>
    </tr>
  )
}
