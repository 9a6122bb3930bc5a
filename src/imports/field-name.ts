import type { ColumnField } from './columns.ts'

/** The field of a column as the API names it; null: the column is ignored. */
export function fieldName(field: ColumnField): string | null {
  if (field === null || typeof field === 'string') return field
  return 'custom' in field ? `custom:${field.custom}` : `external_id:${field.external_id}`
}
