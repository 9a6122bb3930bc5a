import { canonicalIdSql } from './pending-moves.ts'
import type { ColumnFilter, Reference } from './record-type.ts'

type Condition = ColumnFilter['where']

/** Filters records by the value of a column. */
export const columnIs =
  (column: string, sqlType: string): Condition =>
  (parameter) =>
    `r.${column} = ${parameter}::${sqlType}`

/** Filters records by a reference, with any id of the referenced record. */
export const referenceIs = (reference: Reference): Pick<ColumnFilter, 'where' | 'names'> => {
  const { column, to } = reference
  return {
    names: to,
    where: (parameter, moving) =>
      moving?.length === 0
        ? `r.${column} = ${rootOf(to, parameter)}`
        : `r.${column} = any(${rootOf(to, parameter)} || ${fromIds(to, moving)})
           and ${canonicalIdSql('r', reference)} = ${rootOf(to, parameter)}`,
  }
}

/** Filters records by a link, with any id of the linked record. */
export const isLinkedTo = (
  table: string,
  from: string,
  to: 'contact',
): Pick<ColumnFilter, 'where' | 'names'> => {
  const reference = { rawColumn: `${to}_raw_id`, column: `${to}_id`, to }
  return {
    names: to,
    // An array of ids is looked up; with `in` the planner may scan the whole list instead.
    where: (parameter, moving) => `r.${from}_id = any(array(
      select l.${from}_id from ${table} l where l.org_id = $1 and ${
        moving?.length === 0
          ? `l.${to}_id = ${rootOf(to, parameter)}`
          : `l.${to}_id = any(${rootOf(to, parameter)} || ${fromIds(to, moving)})
             and ${canonicalIdSql('l', reference)} = ${rootOf(to, parameter)}`
      }))`,
  }
}

/** SQL of the canonical record of a parameter. */
const rootOf = (entity: string, parameter: string) =>
  `(select coalesce(n.merged_into_id, n.${entity}_id) from ${entity} n where n.org_id = $1 and n.${entity}_id = ${parameter}::uuid)`

/** SQL of an array of records from which references are still being moved. */
const fromIds = (entity: string, moving: readonly string[] | null) =>
  moving
    ? `'{${moving.join(',')}}'::uuid[]`
    : `array(select v.from_id from child_move v where v.org_id = $1 and v.entity = '${entity}')`
