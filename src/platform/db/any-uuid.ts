import { type Sql, sql } from './sql.ts'

/**
 * Compares a column with each of the ids: `contact_id = ${anyUuid(ids)}`. The select hides the
 * number of ids from the planner, so one plan uses the index for every number. A join would become
 * a scan while the table has no statistics.
 */
export const anyUuid = (ids: readonly string[]): Sql => sql`any((select ${ids}::uuid[])::uuid[])`
