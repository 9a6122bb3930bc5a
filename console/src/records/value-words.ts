import { dateOfDay } from '../parts/days.ts'
import { listed } from '../parts/listed.ts'
import { exact, money } from '../parts/numbers.ts'
import { phoneWords } from '../parts/phone-number.ts'
import { dateOf, minuteOf } from '../parts/times.ts'
import { countOf, people, type ShownRecord } from './kinds.ts'
import type { RecordField } from './record-field.ts'

/**
 * A value as text: dates and numbers in the language of the browser. Empty: the record has no value.
 * @param record the record of the value, whose currency an amount has
 */
export function valueWords(
  { type, choices, filter }: Pick<RecordField, 'type' | 'choices' | 'filter'>,
  value: unknown,
  record?: ShownRecord,
): string {
  if (value === null || value === undefined || value === '') return ''
  if (type === 'choice') return nameOfChoice(choices, String(value))
  if (type === 'money' && typeof value === 'number' && typeof record?.currency === 'string')
    return money(value, record.currency)
  if (type === 'people' && Array.isArray(value)) return countOf(people, value.length)
  if (type === 'phone') return phoneWords(String(value))
  if (Array.isArray(value))
    return listed(value.map((one) => (filter === 'phone' ? phoneWords(String(one)) : String(one))))
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return type === 'time' ? dateOf(value) : exact(value)
  if (typeof value === 'object') return JSON.stringify(value)
  const time = type === 'datetime' || type === 'date' ? Date.parse(String(value)) : Number.NaN
  if (Number.isNaN(time)) return String(value)
  return type === 'date' ? dateOfDay(String(value)) : minuteOf(time / 1000)
}

/** The name of a value that is an id. */
export const nameOfChoice = (choices: RecordField['choices'], value: string): string =>
  choices?.find(([id]) => id === value)?.[1] ?? '…'
