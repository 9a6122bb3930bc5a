import { type Sql, sql } from './sql.ts'

/**
 * Compares a column with each of the ids: `contact_id = ${anyUuid(ids)}`. The `select` hides the number of ids from
 * the planner, so one plan uses the index for any number. A join would scan the table while it has no statistics.
 */
export const anyUuid = (ids: readonly string[]): Sql => sql`any((select ${ids}::uuid[])::uuid[])`
