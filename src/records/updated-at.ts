import { rawSql, type Sql } from '../platform/db/sql.ts'

/**
 * SQL of the time of a change: the time of the statement, not now(). A transaction may have waited for a lock, and
 * clients that poll `updated_since` must not miss its change.
 */
export const nextUpdatedAt = (table: string): Sql =>
  rawSql(`greatest(${table}.updated_at, clock_timestamp())`)
