import type { ColumnField } from './columns.ts'

/** The name of a field in a mapping: `city`, `custom:rank`, `external_id:shop`. null if the column is left out. */
export function fieldName(field: ColumnField): string | null {
  if (field === null || typeof field === 'string') return field
  return 'custom' in field ? `custom:${field.custom}` : `external_id:${field.external_id}`
}
