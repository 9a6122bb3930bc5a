import { Fragment, type ReactNode } from 'react'
import type { InspectedColumn } from '../../../../../sdk/src/generated/types.ts'
import fieldStyles from '../../../parts/field.module.css'
import { FieldError } from '../../../parts/field.tsx'
import styles from './new.module.css'
import { ignored, keyOf, type Target } from './targets.ts'

/** One column of the file: its header, what it becomes, and samples of its values. */
export function ColumnRow({
  column: { header, samples },
  target,
  targets,
  idField,
  problem,
  onChange,
}: {
  column: InspectedColumn
  target: string
  targets: readonly Target[]
  idField: string
  problem: string | null
  onChange: (target: string) => void
}) {
  const isKnown = targets.some((one) => one.target === target)
  const system = keyOf(target, 'external_id')
  const key = isKnown ? null : keyOf(target, 'custom')
  const value =
    isKnown || target === ignored || target === idField ? target : system !== null ? 'id' : 'extra'
  const choose = (next: string) =>
    onChange(next === 'id' ? `external_id:${header}` : next === 'extra' ? `custom:${header}` : next)
  return (
    <tr>
      <th scope="row" className="mono" title={header}>
        {header}
      </th>
      <td className={styles.become}>
        <div>
          <select
            className={fieldStyles.input}
            aria-label={`“${header}” becomes`}
            aria-invalid={problem ? true : undefined}
            value={value}
            onChange={(event) => choose(event.target.value)}
          >
            <optgroup label="Without a field">
              <option value="extra">Extra value</option>
              <option value="id">Id in another system</option>
              {target === idField && <option value={idField}>Crosswalk id</option>}
              <option value={ignored}>Not imported</option>
            </optgroup>
            {groupsOf(targets)}
          </select>
          {key !== null && key !== header && (
            <NameField
              label={`Name of the extra value for “${header}”`}
              value={key}
              onChange={(name) => onChange(`custom:${name}`)}
            />
          )}
          {system !== null && (
            <NameField
              label={`System of the id in “${header}”`}
              value={system}
              onChange={(name) => onChange(`external_id:${name}`)}
            />
          )}
          {problem && <FieldError>{problem}</FieldError>}
        </div>
      </td>
      <td className="opt" title={samples.join('\n')}>
        {samples.length === 0 ? (
          <span className="three">No value in the first rows</span>
        ) : (
          samples.join(' · ')
        )}
      </td>
    </tr>
  )
}

const NameField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) => (
  <input
    className={fieldStyles.input}
    aria-label={label}
    title={label}
    value={value}
    maxLength={180}
    onChange={(event) => onChange(event.target.value)}
  />
)

/** The same options for all columns, so each menu makes its own elements only once. */
function groupsOf(targets: readonly Target[]): ReactNode {
  return [...Map.groupBy(targets, ({ group }) => group)].map(([group, members]) => (
    <Fragment key={group}>
      <optgroup label={group}>
        {members.map(({ target, label }) => (
          <option key={target} value={target}>
            {label}
          </option>
        ))}
      </optgroup>
    </Fragment>
  ))
}
