import { useMemo } from 'react'
import type { RecordFilter } from '../../../../sdk/src/generated/types.ts'
import { companies } from '../kinds.ts'
import type { RecordField } from '../record-field.ts'
import { useRecordNames } from '../use-record-names.ts'
import { inCurrency } from './in-currency.ts'

/** The fields for the words of a filter: they have the names of the companies that it names by id, and its currency. */
export function useNamedFields(
  fields: readonly RecordField[],
  filter: RecordFilter | undefined,
): readonly RecordField[] {
  const names = useRecordNames(
    companies,
    useMemo(() => (filter ? companyIdsOf(filter) : []), [filter]),
  )
  return useMemo(
    () =>
      inCurrency(fields, filter).map((field) =>
        field.type === 'reference' ? { ...field, choices: [...names] } : field,
      ),
    [fields, filter, names],
  )
}

function companyIdsOf({ and = [], or = [], not, field, value }: RecordFilter): string[] {
  const own = field === 'company_id' && typeof value === 'string' ? [value] : []
  return [...own, ...[...and, ...or, ...(not ? [not] : [])].flatMap(companyIdsOf)]
}
