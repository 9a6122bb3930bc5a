import { rawSql, type Sql } from '../platform/db/sql.ts'

/**
 * SQL of the time of a change. It is the time of the statement, not of the transaction (now()), which may have waited
 * for a lock since. Clients that poll `updated_since` would miss such a change.
 */
export const nextUpdatedAt = (table: string): Sql =>
  rawSql(`greatest(${table}.updated_at, clock_timestamp())`)
