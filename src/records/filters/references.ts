import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { id } from '../../platform/http/fields.ts'
import { canonicalIdSql } from '../pending-moves.ts'
import type { FilterContext, FilterField, Links, Reference } from '../record-type.ts'

/** The value can be any id of the referenced record, even an absorbed id. */
export function referenceFilter(from: string, reference: Reference): FilterField {
  const { column, to } = reference
  const table = rawSql(from)
  const name = rawSql(`r.${column}`)
  const canonicalId = rawSql(canonicalIdSql('r', reference))
  const equals = (operand: unknown, { orgId, moving }: FilterContext) =>
    refersTo(name, canonicalId, to, operand, orgId, moving)
  return {
    schema: id(),
    operators: ['eq', 'ne', 'is_null'],
    names: to,
    matches: (op) => (op === 'eq' ? 'few' : null),
    found: (_op, operand, context) =>
      sql`${table} r where r.org_id = ${context.orgId} and ${equals(operand, context)}`,
    where(op, operand, context) {
      if (op === 'is_null') return operand ? sql`${name} is null` : sql`${name} is not null`
      const isEqual = equals(operand, context)
      return op === 'ne' ? sql`(${isEqual}) is not true` : isEqual
    },
  }
}

/** The value can be any id of the linked record, even an absorbed id. */
export function linkFilter(from: string, { table, to }: Links): FilterField {
  const canonicalId = rawSql(canonicalIdSql('l', { rawColumn: `${to}_raw_id`, column: `${to}_id`, to }))
  const [name, recordId, links] = [rawSql(`l.${to}_id`), rawSql(`${from}_id`), rawSql(table)]
  const linked = (operand: unknown, { orgId, moving }: FilterContext) =>
    sql`${links} l where l.org_id = ${orgId} and ${refersTo(name, canonicalId, to, operand, orgId, moving)}`
  return {
    schema: id(),
    operators: ['eq', 'ne'],
    names: to,
    matches: (op) => (op === 'eq' ? 'few' : null),
    found: (_op, operand, context) => linked(operand, context),
    where(op, operand, context) {
      // PostgreSQL looks up an array of ids in the index. With `in`, the planner can scan the whole list.
      const isLinked = sql`r.${recordId} = any(array(select l.${recordId} from ${linked(operand, context)}))`
      return op === 'ne' ? sql`(${isLinked}) is not true` : isLinked
    },
  }
}

/** An absorbed id finds the canonical record. */
export function ownIdFilter(entity: string): FilterField {
  const [table, recordId] = [rawSql(entity), rawSql(`${entity}_id`)]
  return {
    schema: id(),
    operators: ['eq', 'ne', 'in'],
    matches: (op) => (op === 'ne' ? null : 'few'),
    where(op, operand, { orgId }) {
      const canonical = sql`
        select coalesce(n.merged_into_id, n.${recordId}) from ${table} n where n.org_id = ${orgId}`
      const isOne =
        op === 'in'
          ? sql`r.${recordId} = any(array(${canonical} and n.${recordId} = any(${operand}::uuid[])))`
          : sql`r.${recordId} = (${canonical} and n.${recordId} = ${operand}::uuid)`
      return op === 'ne' ? sql`(${isOne}) is not true` : isOne
    },
  }
}

/** The condition is also right while references are being moved. */
function refersTo(
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
