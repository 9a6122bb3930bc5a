import type { ColumnFilter } from './record-type.ts'

type Condition = ColumnFilter['where']

/** Finds records by the value of a column. */
export const columnIs =
  (column: string, sqlType: string): Condition =>
  (parameter) =>
    `r.${column} = ${parameter}::${sqlType}`

/** Finds records by the record that a column names, under any of its ids. */
export const columnIsRoot =
  (column: string, entity: string): Condition =>
  (parameter) =>
    `r.${column} = ${rootOf(entity, parameter)}`

/** Finds records by a record that they are linked to, under any of its ids. */
export const isLinkedTo =
  (table: string, from: string, to: string): Condition =>
  (parameter) =>
    // An array's ids are looked up; with `in` the planner may walk the whole list instead.
    `r.${from}_id = any(array(select l.${from}_id from ${table} l where l.org_id = $1 and l.${to}_id = ${rootOf(to, parameter)}))`

/** SQL of the record that stands for the one of a parameter. */
const rootOf = (entity: string, parameter: string) =>
  `(select coalesce(n.merged_into_id, n.${entity}_id) from ${entity} n where n.org_id = $1 and n.${entity}_id = ${parameter}::uuid)`
