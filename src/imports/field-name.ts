import type { ColumnField } from './columns.ts'

export function fieldName(field: ColumnField): string | null {
  if (field === null || typeof field === 'string') return field
  return 'custom' in field ? `custom:${field.custom}` : `external_id:${field.external_id}`
}
