import type { EntityType } from '../../matching/entity-type.ts'
import { lockShared } from '../../platform/db/advisory-lock.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Statement } from '../../platform/db/statement.ts'

/** The types that a defined field can have. */
export const fieldTypes = [
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'select',
  'multi_select',
  'url',
  'email',
  'phone',
] as const

export type DefinedFieldType = (typeof fieldTypes)[number]

/** What the values of one member of `custom` must be. */
export type FieldDefinition = {
  key: string
  type: DefinedFieldType
  /** The values that a `select` or `multi_select` accepts. */
  options: readonly string[]
}

/** A definition that is stored. `unique_index` is the index of a unique field; null: the field is not unique. */
export type StoredDefinition = FieldDefinition & { unique_index: string | null }

export type FieldOverview = { key: string; label: string; type: DefinedFieldType; is_unique: boolean }

/** The names and types of the defined fields of a record type, in their order. */
export const readFieldOverviews = (tx: OrgTx, entity: EntityType): Promise<FieldOverview[]> =>
  tx.rows(sql<FieldOverview>`
    select key, label, type, is_unique from field_definition where org_id = ${tx.orgId} and entity = ${entity} order by position`)

/** Reads the definitions of a record type. Without the lock, they may change before the transaction ends. */
export const definitionsOf = (orgId: string, entity: EntityType): Statement<StoredDefinition> =>
  sql<StoredDefinition>`
    select key, type, options, case when is_unique then index_id end as unique_index
    from field_definition where org_id = ${orgId} and entity = ${entity} order by position`

/** Writes of `custom` share this lock. A change of the definitions needs it exclusively. */
export const definitionsLock = (orgId: string): string => `field definitions ${orgId}`

/** Locks the definitions of a record type: they stay unchanged until the transaction ends. */
export async function lockDefinitionsShared(tx: OrgTx, entity: EntityType): Promise<StoredDefinition[]> {
  const [, definitions] = await Promise.all([
    lockShared(tx, definitionsLock(tx.orgId)),
    tx.rows(definitionsOf(tx.orgId, entity)),
  ])
  return definitions
}
