import type { RecordFilter } from '../../../../sdk/src/generated/types.ts'
import type { RecordField } from '../record-field.ts'
import { conditionsOf } from './conditions.ts'

/** If the filter finds deals of one currency only, returns the fields with this currency: people read and type amounts in it. */
export function inCurrency(
  fields: readonly RecordField[],
  filter: RecordFilter | undefined,
): readonly RecordField[] {
  const found = conditionsOf(filter).find(({ field, op = 'eq' }) => field === 'currency' && op === 'eq')
  const code = typeof found?.value === 'string' ? found.value.toUpperCase() : ''
  if (!/^[A-Z]{3}$/.test(code)) return fields
  return fields.map((field) => (field.type === 'money' ? { ...field, currency: code } : field))
}
