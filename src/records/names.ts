import { rawSql, type Sql } from '../platform/db/sql.ts'
import type { RecordType } from './record-type.ts'

/** The names in SQL of a type's table, of the table of its match keys, and of its id column. */
export const namesOf = ({
  entity,
  idField,
}: Pick<RecordType, 'entity' | 'idField'>): { table: Sql; keyTable: Sql; id: Sql } => ({
  table: rawSql(entity),
  keyTable: rawSql(`${entity}_key`),
  id: rawSql(idField),
})
