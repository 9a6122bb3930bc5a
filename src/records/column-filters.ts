import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { canonicalIdSql } from './pending-moves.ts'
import type { ColumnFilter, Reference } from './record-type.ts'

type Condition = ColumnFilter['where']

/** Filters records by the value of a column. */
export function columnIs(column: string, sqlType: string): Condition {
  const [name, type] = [rawSql(column), rawSql(sqlType)]
  return (value) => sql`r.${name} = ${value}::${type}`
}

/** Filters records by a reference, with any id of the referenced record. */
export function referenceIs(reference: Reference): Pick<ColumnFilter, 'where' | 'names'> {
  const { column, to } = reference
  const name = rawSql(`r.${column}`)
  const canonicalId = rawSql(canonicalIdSql('r', reference))
  return {
    names: to,
    where: (value, orgId, moving) => is(name, canonicalId, to, value, orgId, moving),
  }
}

/** Filters records by a link, with any id of the linked record. */
export function isLinkedTo(
  table: string,
  from: string,
  to: 'contact',
): Pick<ColumnFilter, 'where' | 'names'> {
  const canonicalId = rawSql(canonicalIdSql('l', { rawColumn: `${to}_raw_id`, column: `${to}_id`, to }))
  const [name, id, links] = [rawSql(`l.${to}_id`), rawSql(`${from}_id`), rawSql(table)]
  return {
    names: to,
    // An array of ids is looked up; with `in` the planner may scan the whole list instead.
    where: (value, orgId, moving) => sql`r.${id} = any(array(
      select l.${id} from ${links} l
      where l.org_id = ${orgId} and ${is(name, canonicalId, to, value, orgId, moving)}))`,
  }
}

/** A condition: a column names the record `value`, also while references are being moved. */
function is(
  column: Sql,
  canonicalId: Sql,
  to: string,
  value: unknown,
  orgId: string,
  moving: readonly string[] | null,
): Sql {
  const entity = rawSql(to)
  const canonical = sql`(select coalesce(n.merged_into_id, n.${entity}_id) from ${entity} n
    where n.org_id = ${orgId} and n.${entity}_id = ${value}::uuid)`
  if (moving?.length === 0) return sql`${column} = ${canonical}`
  const sources = moving
    ? sql`${moving}::uuid[]`
    : sql`array(select v.from_id from child_move v where v.org_id = ${orgId} and v.entity = ${to})`
  return sql`${column} = any(${canonical} || ${sources}) and ${canonicalId} = ${canonical}`
}
