import { Fragment, memo, type ReactNode, useState } from 'react'
import type { InspectedColumn } from '../../../../../sdk/src/generated/types.ts'
import fieldStyles from '../../../parts/field.module.css'
import { FieldError } from '../../../parts/field.tsx'
import styles from './new.module.css'
import { ignored, keyOf, misfitOf, type Target } from './targets.ts'

/** One column of the file: its header, what it becomes, and samples of its values. */
export const ColumnRow = memo(function ColumnRow({
  index,
  column: { header, samples },
  target,
  targets,
  idField,
  problem,
  isLazy,
  onChange,
}: {
  index: number
  column: InspectedColumn
  target: string
  targets: readonly Target[]
  idField: string
  problem: string | null
  /** Whether the menu gets its options only when it is used: a file with 200 columns would have 8,000 options. */
  isLazy: boolean
  onChange: (index: number, target: string) => void
}) {
  const [isUsed, setUsed] = useState(!isLazy)
  const set = (next: string) => onChange(index, next)
  const isKnown = targets.some((one) => one.target === target)
  const system = keyOf(target, 'external_id')
  const key = isKnown ? null : keyOf(target, 'custom')
  const value =
    isKnown || target === ignored || target === idField ? target : system !== null ? 'id' : 'extra'
  const misfit = misfitOf(target)
  const choose = (next: string) =>
    set(next === 'id' ? `external_id:${header}` : next === 'extra' ? `custom:${header}` : next)
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
            onFocus={() => setUsed(true)}
            onPointerEnter={() => setUsed(true)}
            onChange={(event) => choose(event.target.value)}
          >
            <optgroup label="Without a field">
              <option value="extra">Extra value</option>
              <option value="id">Id in another system</option>
              {target === idField && <option value={idField}>Crosswalk id</option>}
              <option value={ignored}>Not imported</option>
            </optgroup>
            {groupsOf(isUsed ? targets : targets.filter((one) => one.target === target))}
          </select>
          {key !== null && key !== header && (
            <NameField
              words="Name"
              label={`Name of the extra value for “${header}”`}
              value={key}
              onChange={(name) => set(`custom:${name}`)}
            />
          )}
          {system !== null && (
            <NameField
              words="System"
              label={`System of the id in “${header}”`}
              value={system}
              onChange={(name) => set(`external_id:${name}`)}
            />
          )}
          {misfit && (
            <p className="t12 two">
              {misfit} is stored as the extra value “{header}”.
            </p>
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
})

const NameField = ({
  words,
  label,
  value,
  onChange,
}: {
  words: string
  label: string
  value: string
  onChange: (value: string) => void
}) => (
  <div className="rail">
    <span className="t12 two" aria-hidden="true">
      {words}
    </span>
    <input
      className={fieldStyles.input}
      aria-label={label}
      value={value}
      maxLength={180}
      onChange={(event) => onChange(event.target.value)}
    />
  </div>
)

/** The options of the fields, in their groups. */
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
