import { type Sql, sql } from './sql.ts'

/**
 * Compares a column with each of the ids: `contact_id = ${anyUuid(ids)}`. The select hides their number from the planner, so one
 * plan serves every number, and it looks up by index. A join with the ids would be planned as a scan while the table has no
 * statistics yet.
 */
export const anyUuid = (ids: readonly string[]): Sql => sql`any((select ${ids}::uuid[])::uuid[])`
