import { type Sql, sql } from './sql.ts'

/**
 * Compares a column with each of the ids: `contact_id = ${anyUuid(ids)}`. The select hides the number of ids from the
 * planner, so one plan works for every number and uses the index. A join with the ids would be planned as a scan while
 * the table has no statistics yet.
 */
export const anyUuid = (ids: readonly string[]): Sql => sql`any((select ${ids}::uuid[])::uuid[])`
