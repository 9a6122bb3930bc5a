import { rawSql, type Sql } from '../platform/db/sql.ts'

/**
 * SQL of the time of the statement. Do not use now(), the start of the transaction: after a wait for a lock, clients
 * that poll `updated_since` would miss the change.
 */
export const nextUpdatedAt = (table: string): Sql =>
  rawSql(`greatest(${table}.updated_at, clock_timestamp())`)
