import type { FilterOperator, RecordFilter } from '../../../../sdk/src/generated/types.ts'
import { count, money } from '../../parts/numbers.ts'
import { dateOf, minuteOf } from '../../parts/times.ts'
import type { RecordField } from '../record-field.ts'
import { nameOfChoice, valueWords } from '../value-words.ts'
import { type Condition, comparisonOf, isBroken } from './conditions.ts'

const words: Record<FilterOperator, string> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  starts_with: 'begins with',
  is_null: 'is empty',
}

const timeWords: Partial<Record<FilterOperator, string>> = {
  gt: 'after',
  gte: 'since',
  lt: 'before',
  lte: 'until',
}

/** The name of a condition for people. `is_null` has two: one for true and one for false. */
export type ConditionName = FilterOperator | 'is_not_null'

export function operatorWords({ type }: Pick<RecordField, 'type'>, name: ConditionName): string {
  if (name === 'is_not_null') return 'is not empty'
  const isTime = type === 'time' || type === 'date' || type === 'datetime'
  return (isTime && timeWords[name]) || words[name]
}

/** The conditions that a person can choose for a field. */
export const namesOf = ({ operators }: RecordField): readonly ConditionName[] =>
  operators.flatMap((op): ConditionName[] => (op === 'is_null' ? ['is_null', 'is_not_null'] : [op]))

export const nameOfCondition = ({ op, value }: Condition): ConditionName =>
  op === 'is_null' && value === false ? 'is_not_null' : op

/** The field that a condition names; undefined: one that this page does not know. */
export const fieldOf = (fields: readonly RecordField[], name: string): RecordField | undefined =>
  fields.find((field) => filterName(field) === name && field.operators.length > 0)

export const filterName = ({ filter, name }: RecordField): string => filter ?? name

/** A filter may compare amounts of several currencies. A person then types amounts in this currency, which has cents. */
export const amountCurrency = 'USD'

export function operandWords(
  field: Pick<RecordField, 'type' | 'choices' | 'currency'>,
  value: unknown,
): string {
  if (Array.isArray(value)) return value.map((one) => quoted(operandWords(field, one))).join(', ')
  const { type, choices, currency } = field
  if (choices) return nameOfChoice(choices, String(value))
  if (type === 'money' && typeof value === 'number')
    return currency ? money(value, currency) : count(value / 100)
  if (type === 'time' || type === 'date' || type === 'datetime') {
    const [day, sign, count, unit] = relativeDay.exec(String(value)) ?? []
    if (count && unit) return `${Number(count)} ${relativeWords(sign, unit, Number(count))}`
    if (day) return day
  }
  const isUnix = type === 'time' && typeof value === 'number'
  const at = isUnix ? value : type === 'datetime' ? Date.parse(String(value)) / 1000 : Number.NaN
  if (Number.isNaN(at)) return valueWords({ type }, value)
  // A person chooses a day, which begins at midnight. It is another time for a person in another time zone.
  const time = new Date(at * 1000)
  return time.getHours() === 0 && time.getMinutes() === 0 ? dateOf(at) : minuteOf(at)
}

/** A text with a comma in quotation marks, so that it does not look like two texts. */
const quoted = (text: string) => (text.includes(',') ? `“${text}”` : text)

/** A day that depends on today, as the API accepts it. */
export const relativeDay: RegExp = /^(?:today|([+-])(\d{1,4})([dwmy]))$/

/** The units of a relative day, with their names for people. */
export const relativeUnits: Record<string, string> = { d: 'day', w: 'week', m: 'month', y: 'year' }

/** For example “days ago” or “week from now”, which follow a number. */
export const relativeWords = (sign: string | undefined, unit: string, count?: number): string =>
  `${relativeUnits[unit]}${count === 1 ? '' : 's'} ${sign === '-' ? 'ago' : 'from now'}`

/** A condition as a text, even a condition of several parts. */
export function conditionWords(fields: readonly RecordField[], condition: RecordFilter): string {
  const { and, or, not } = condition
  const inner = (each: RecordFilter) => conditionWords(fields, each)
  if (and) return and.map(inner).join(' and ')
  if (or) return or.map(inner).join(' or ')
  if (not) return `not (${inner(not)})`
  if (isBroken(condition)) return 'a filter that could not be read'
  const comparison = comparisonOf(condition)
  if (!comparison) return 'an unknown condition'
  // The page of an import leads here with its id, which says nothing to people.
  if (comparison.field === 'import_id' && comparison.op === 'eq') return 'imported with one file'
  const field = fieldOf(fields, comparison.field) ?? { label: comparison.field, type: 'text' as const }
  const name = nameOfCondition(comparison)
  const operand = comparison.op === 'is_null' ? '' : ` ${operandWords(field, comparison.value)}`
  return `${field.label} ${operatorWords(field, name)}${operand}`
}
