import type { RecordFilter } from '../../../../sdk/src/generated/types.ts'
import { Icon } from '../../parts/icon.tsx'
import type { RecordField } from '../record-field.ts'
import { comparisonOf, conditionsOf } from './conditions.ts'
import styles from './filter-bar.module.css'
import { useNamedFields } from './use-named-fields.ts'
import { conditionWords, fieldOf, nameOfCondition, namesOf, operandWords, operatorWords } from './words.ts'

/**
 * A chip for each condition of a list.
 * @param onEdit called with the index of a condition to edit
 */
export function ConditionChips({
  fields,
  filter,
  onEdit,
  onChange,
}: {
  fields: readonly RecordField[]
  filter: RecordFilter | undefined
  onEdit: (index: number) => void
  onChange: (next: readonly RecordFilter[]) => void
}) {
  const named = useNamedFields(fields, filter)
  const conditions = conditionsOf(filter)
  return conditions.map((condition, index) => (
    <Chip
      // biome-ignore lint/suspicious/noArrayIndexKey: two conditions can be equal
      key={index}
      fields={named}
      condition={condition}
      onEdit={() => onEdit(index)}
      onRemove={() => onChange(conditions.filter((_, other) => other !== index))}
    />
  ))
}

/** A condition that the dialog does not offer, such as one with several parts, can only be removed. */
function Chip({
  fields,
  condition,
  onEdit,
  onRemove,
}: {
  fields: readonly RecordField[]
  condition: RecordFilter
  onEdit: () => void
  onRemove: () => void
}) {
  const words = conditionWords(fields, condition)
  const comparison = comparisonOf(condition)
  const field = comparison ? fieldOf(fields, comparison.field) : undefined
  return (
    <div className={styles.chip}>
      {comparison && field && namesOf(field).includes(nameOfCondition(comparison)) ? (
        <button type="button" onClick={onEdit}>
          <span className="sr">Change the filter:</span> <span>{field.label}</span>{' '}
          <span>{operatorWords(field, nameOfCondition(comparison))}</span>{' '}
          {comparison.op !== 'is_null' && <b>{operandWords(field, comparison.value)}</b>}
        </button>
      ) : (
        <span title={words}>{words}</span>
      )}
      <button type="button" aria-label={`Remove the filter: ${words}`} onClick={onRemove}>
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}
