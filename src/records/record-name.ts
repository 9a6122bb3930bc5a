import type { EntityType } from '../matching/entity-type.ts'

/** SQL of the shown name of the record in the row `alias`; null: the record has none. */
export function recordNameSql(entity: EntityType, alias: string): string {
  const column = (name: string) => `${alias}.${name}`
  if (entity === 'deal') return column('name')
  return entity === 'company'
    ? `coalesce(${column('name')}, ${column('domain')})`
    : `coalesce(nullif(concat_ws(' ', ${column('first_name')}, ${column('last_name')}), ''), ${column('email')}, ${column('phone')})`
}
