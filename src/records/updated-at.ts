import { rawSql, type Sql } from '../platform/db/sql.ts'

/**
 * SQL of the time of the statement. The start of the transaction, now(), may be before a wait for a lock. Clients that
 * poll `updated_since` would then miss the change.
 */
export const nextUpdatedAt = (table: string): Sql =>
  rawSql(`greatest(${table}.updated_at, clock_timestamp())`)
