import { hash } from 'node:crypto'
import type { EntityType } from '../matching/entity-type.ts'
import { exactTotal } from '../platform/db/record-totals.ts'
import type { Sql } from '../platform/db/sql.ts'
import type { Scalar } from './filters/tree.ts'

/** A list of the records with equal values in some fields. Its total is stored, and an index has its order. */
export type StoredList = {
  fields: readonly string[]
  /** The order that the index has, in both directions. */
  sort: 'created_at' | 'updated_at'
  /**
   * Returns SQL of the number of active records with these values; undefined: it is not stored.
   * @param values in the order of `fields`
   */
  total(values: readonly Scalar[], orgId: string): Sql | undefined
}

/** The stored lists of each record type. */
export const commonLists = (entity: EntityType): StoredList[] => [
  {
    fields: ['owner_id'],
    sort: 'created_at',
    total: ([owner], orgId) => exactTotal(orgId, `${entity} of ${owner}`),
  },
  ...['tag', 'tags'].map(
    (field): StoredList => ({
      fields: [field],
      sort: 'created_at',
      total: ([tag], orgId) => exactTotal(orgId, `${entity} tagged ${hash('sha256', String(tag), 'hex')}`),
    }),
  ),
]
