import { useState } from 'react'
import { Select, TextArea, TextField } from '../../parts/field.tsx'
import { decimalOf, minorOf, numberOf, twoMeanings, wholeOf } from '../../parts/numbers.ts'
import { Ticks } from '../../parts/ticks.tsx'
import { isWhole, type RecordField, yesOrNo } from '../record-field.ts'
import { CompanyOperand } from './company-operand.tsx'
import { DayOperand, readRelativeDay } from './day-operand.tsx'
import { amountCurrency, type ConditionName } from './words.ts'

const listMax = 100

const noNumber = 'Type a number, such as 12,500 or 99.50.'
const moneyHint =
  'Such as 5,000 or 99.50, in any currency with cents. For another currency, first filter by it.'
/** The search ignores the letter case, and filters of texts do not. */
const letterCase = 'Capital letters matter: “jones” does not find “Jones”.'

function hintOf({ type, currency }: RecordField): string | undefined {
  if (type === 'money') return currency ? `In ${currency}.` : moneyHint
  return type === 'text' ? letterCase : undefined
}

/** Between several values, which may have commas. */
const lineBreak = '\n'

/** The values of which a person chooses, with their names; null: a person types the value. */
function choicesOf({ type, options, choices }: RecordField): RecordField['choices'] | null {
  if (choices) return choices
  if (type === 'boolean') return yesOrNo
  return options && type === 'select' ? options.map((one) => [one, one] as const) : null
}

/** The value of a filter as typed text, for a field that edits it. */
export function operandText(field: RecordField, value: unknown): string {
  const { type, currency = amountCurrency } = field
  if (Array.isArray(value)) return value.join(lineBreak)
  if (type === 'money' && typeof value === 'number') return decimalOf(value, currency).replace(/\.0+$/, '')
  return value === undefined || value === null ? '' : String(value)
}

/** The value that the API expects; null: the typed text is no value yet. */
export function readOperand(field: RecordField, op: ConditionName, text: string): unknown {
  const { type, currency = amountCurrency } = field
  const typed = text.trim()
  if (typed === '') return null
  const choices = op === 'starts_with' ? null : choicesOf(field)
  if (choices && op !== 'in' && !choices.some(([value]) => value === typed)) return null
  if (op === 'in') {
    const values = typed.split(lineBreak).flatMap((one) => one.trim() || [])
    return values.length <= listMax ? values : null
  }
  if (type === 'boolean') return typed === 'true'
  const relative =
    type === 'time' || type === 'date' || type === 'datetime' ? readRelativeDay(typed) : undefined
  if (relative !== undefined) return relative
  if (type === 'money') return minorOf(typed, currency)
  if (type === 'time') return numberOf(typed)
  if (type === 'number')
    return isWhole(field.name) ? wholeOf(typed) : twoMeanings(typed) === null ? numberOf(typed) : null
  // Lists show spaces between the groups of a number, which the stored number does not have.
  if (type === 'phone' && op === 'starts_with') return typed.replaceAll(/[^+\d]/g, '') || null
  return typed
}

/** The field for the value of a filter, as its type and operator need it. */
export function OperandField({
  field,
  op,
  text,
  onChange,
}: {
  field: RecordField
  op: ConditionName
  text: string
  onChange: (text: string) => void
}) {
  const { type } = field
  const choices = op === 'starts_with' ? null : choicesOf(field)
  if (choices && op === 'in')
    return <ManyChoices key={field.name} choices={choices} text={text} onChange={onChange} />
  if (op === 'in') {
    const hint = `One on each line.${type === 'text' ? ` ${letterCase}` : ''}`
    const isTooLong = text.trim() !== '' && readOperand(field, op, text) === null
    return (
      <TextArea
        label="Values"
        value={text}
        hint={hint}
        spellCheck={false}
        onChange={onChange}
        error={isTooLong ? `A filter can have at most ${listMax} values.` : null}
      />
    )
  }
  if (choices)
    return <Select label="Value" value={text} options={[['', 'Choose …'], ...choices]} onChange={onChange} />
  if (type === 'time' || type === 'date' || type === 'datetime')
    return <DayOperand type={type} text={text} onChange={onChange} />
  if (type === 'reference') return <CompanyOperand companyId={text} onChange={onChange} />
  const isNumber = type === 'number' || type === 'money'
  return (
    <TextField
      label="Value"
      value={text}
      inputMode={isNumber ? 'decimal' : undefined}
      hint={hintOf(field)}
      error={
        isNumber && text.trim() !== '' && readOperand(field, op, text) === null
          ? (type === 'number' && twoMeanings(text)) || noNumber
          : null
      }
      autoComplete="off"
      onChange={onChange}
    />
  )
}

/** Several of the offered values. */
function ManyChoices({
  choices,
  text,
  onChange,
}: {
  choices: NonNullable<RecordField['choices']>
  text: string
  onChange: (text: string) => void
}) {
  const values = text.split(lineBreak).filter(Boolean)
  const [before] = useState(values)
  // Options that were deleted after the filter was saved. A person must see them to remove them.
  const deleted = before.filter((value) => !choices.some(([known]) => known === value))
  return (
    <Ticks
      label="Values"
      values={values}
      options={[...choices, ...deleted.map((value) => [value, value] as const)]}
      onChange={(next) => onChange(next.join(lineBreak))}
    />
  )
}
