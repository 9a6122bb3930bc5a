import { useState } from 'react'
import type { RecordFilter } from '../../../../sdk/src/generated/types.ts'
import { Select } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { RecordField } from '../record-field.ts'
import type { Condition } from './conditions.ts'
import { OperandField, operandText, readOperand } from './operand.tsx'
import { type ConditionName, fieldOf, filterName, nameOfCondition, namesOf, operatorWords } from './words.ts'

/** Asks for a condition: a field, an operator and a value. */
export function ConditionDialog({
  fields,
  condition,
  onDone,
  onClose,
}: {
  fields: readonly RecordField[]
  /** null: a new condition. */
  condition: Condition | null
  onDone: (condition: RecordFilter) => void
  onClose: () => void
}) {
  const offered = fields.filter(({ operators }) => operators.length > 0)
  const [name, setName] = useState(condition?.field ?? '')
  const field = fieldOf(offered, name) ?? offered[0]
  const [op, setOp] = useState<ConditionName>(condition ? nameOfCondition(condition) : 'eq')
  const [text, setText] = useState(condition && field ? operandText(field, condition.value) : '')
  const ops = field ? namesOf(field) : []
  const chosen = ops.includes(op) ? op : (ops[0] ?? 'eq')
  const isEmptiness = chosen === 'is_null' || chosen === 'is_not_null'
  const operand = field && !isEmptiness ? readOperand(field, chosen, text) : null
  const form = useSubmit(async () => {
    if (!field) return
    onDone(
      isEmptiness
        ? { field: filterName(field), op: 'is_null', value: chosen === 'is_null' }
        : { field: filterName(field), op: chosen, value: operand },
    )
  })
  if (!field) return null
  return (
    <FormDialog
      title={condition ? 'Change the filter' : 'Add a filter'}
      act="Apply"
      form={form}
      isDraft={false}
      isBlocked={!isEmptiness && operand === null}
      onClose={onClose}
    >
      <Select
        label="Field"
        value={filterName(field)}
        options={offered.map((one) => [filterName(one), one.label] as const)}
        onChange={(next) => {
          setName(next)
          setText('')
        }}
        data-autofocus={condition ? undefined : true}
      />
      <Select
        label="Condition"
        value={chosen}
        options={ops.map((each) => [each, operatorWords(field, each)] as const)}
        onChange={(next) => {
          setOp(next)
          // Several values are no single value.
          if (chosen === 'in') setText('')
        }}
      />
      {!isEmptiness && <OperandField field={field} op={chosen} text={text} onChange={setText} />}
    </FormDialog>
  )
}
