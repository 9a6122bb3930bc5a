import { useMemo } from 'react'
import type { GridColumn } from '../../parts/grid/layout.ts'
import { cellOf } from '../cell.tsx'
import { companies, type ShownRecord } from '../kinds.ts'
import type { RecordField, ValueType } from '../record-field.ts'
import { useRecordNames } from '../use-record-names.ts'

const numbers: readonly ValueType[] = ['number', 'money', 'time']

/** The chosen fields as columns of the grid, with the names of linked companies. */
export function useGridColumns(
  chosen: readonly RecordField[],
  rows: readonly ShownRecord[],
): readonly GridColumn<ShownRecord>[] {
  const names = useRecordNames(
    companies,
    useMemo(
      () =>
        chosen.some(({ type }) => type === 'reference')
          ? rows.flatMap(({ company_id }) => (typeof company_id === 'string' ? [company_id] : []))
          : [],
      [chosen, rows],
    ),
  )
  return useMemo(
    () =>
      chosen.map((field) => ({
        ...{ name: field.name, label: field.label, width: field.width },
        isSortable: field.isSortable ?? false,
        isNumber: numbers.includes(field.type),
        cell: (row) => cellOf(field, row, names),
      })),
    [chosen, names],
  )
}
