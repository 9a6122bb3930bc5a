import { type Sql, sql } from './sql.ts'

/**
 * SQL to compare with each of the UUIDs in an array parameter. Behind a select their number is unknown to every plan, so that one plan
 * serves all, and that is a look-up by index: a join with what the parameter holds would be planned as a scan, while a
 * table has no statistics yet.
 */
export const anyOf = (parameter: string): string => `any((select ${parameter}::uuid[])::uuid[])`

/** The same of the ids themselves: `contact_id = ${anyUuid(ids)}`. */
export const anyUuid = (ids: readonly string[]): Sql => sql`any((select ${ids}::uuid[])::uuid[])`
