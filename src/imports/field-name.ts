import type { ColumnField } from './columns.ts'

/** A field as a mapping names it: `city`, `custom:rank`, `external_id:shop`; null if the column is left out. */
export function fieldName(field: ColumnField): string | null {
  if (field === null || typeof field === 'string') return field
  return 'custom' in field ? `custom:${field.custom}` : `external_id:${field.external_id}`
}
