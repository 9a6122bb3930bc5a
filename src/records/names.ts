import { rawSql, type Sql } from '../platform/db/sql.ts'
import type { RecordType } from './record-type.ts'

export const namesOf = ({
  entity,
  idField,
}: Pick<RecordType, 'entity' | 'idField'>): { table: Sql; keyTable: Sql; id: Sql } => ({
  table: rawSql(entity),
  keyTable: rawSql(`${entity}_key`),
  id: rawSql(idField),
})
