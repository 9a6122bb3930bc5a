import { rawSql, type Sql } from '../platform/db/sql.ts'
import type { RecordType } from './record-type.ts'

/** The table of a record type, the table of its keys, and the name of its id column. */
export const namesOf = ({
  entity,
  idField,
}: Pick<RecordType, 'entity' | 'idField'>): { table: Sql; keyTable: Sql; id: Sql } => ({
  table: rawSql(entity),
  keyTable: rawSql(`${entity}_key`),
  id: rawSql(idField),
})
