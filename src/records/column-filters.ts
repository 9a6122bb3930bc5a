import { standingFor } from './moving.ts'
import type { ColumnFilter, Reference } from './record-type.ts'

type Condition = ColumnFilter['where']

/** Finds records by the value of a column. */
export const columnIs =
  (column: string, sqlType: string): Condition =>
  (parameter) =>
    `r.${column} = ${parameter}::${sqlType}`

/** Finds records by the record that a reference stands for, under any of its ids. */
export const referenceIs = (reference: Reference): Pick<ColumnFilter, 'where' | 'names'> => {
  const { column, to } = reference
  return {
    names: to,
    where: (parameter, moving) =>
      moving?.length === 0
        ? `r.${column} = ${rootOf(to, parameter)}`
        : `r.${column} = any(${rootOf(to, parameter)} || ${fromIds(to, moving)})
           and ${standingFor('r', reference)} = ${rootOf(to, parameter)}`,
  }
}

/** Finds records by a record that they are linked to, under any of its ids. */
export const isLinkedTo = (
  table: string,
  from: string,
  to: 'contact',
): Pick<ColumnFilter, 'where' | 'names'> => {
  const reference = { rawColumn: `${to}_raw_id`, column: `${to}_id`, to }
  return {
    names: to,
    // An array's ids are looked up; with `in` the planner may walk the whole list instead.
    where: (parameter, moving) => `r.${from}_id = any(array(
      select l.${from}_id from ${table} l where l.org_id = $1 and ${
        moving?.length === 0
          ? `l.${to}_id = ${rootOf(to, parameter)}`
          : `l.${to}_id = any(${rootOf(to, parameter)} || ${fromIds(to, moving)})
             and ${standingFor('l', reference)} = ${rootOf(to, parameter)}`
      }))`,
  }
}

/** SQL of the record that stands for the one of a parameter. */
const rootOf = (entity: string, parameter: string) =>
  `(select coalesce(n.merged_into_id, n.${entity}_id) from ${entity} n where n.org_id = $1 and n.${entity}_id = ${parameter}::uuid)`

/** SQL of an array of the records that others still have while they are being moved. */
const fromIds = (entity: string, moving: readonly string[] | null) =>
  moving
    ? `'{${moving.join(',')}}'::uuid[]`
    : `array(select v.from_id from child_move v where v.org_id = $1 and v.entity = '${entity}')`
