import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import type { FilterField } from '../record-type.ts'
import { customFilter, isNumber, isOrder } from './custom.ts'
import type { Operator, Scalar } from './tree.ts'

// Conditions on `o.value` of the table field_value. app.field_value makes this text: a number begins with `a` or `n`
// and 16 more characters, which sort in the order of the numbers. A text begins with `t` and is cut after 200
// characters.

const textMax = 200
const orderLength = 17

export type FieldIndex = { indexId: string; type: string; isUnique: boolean }

/**
 * Makes the filter of a member of `custom` whose values an index has. It finds the same records as `customFilter`.
 */
export function fieldIndexFilter(
  idField: string,
  key: string,
  { indexId, type, isUnique }: FieldIndex,
): FilterField {
  const scan = customFilter(key, type === 'number')
  const isIndexed = (op: Operator) =>
    op === 'eq' || op === 'in' || isOrder(op) || (op === 'starts_with' && type !== 'number')
  const isCut = (op: Operator, operand: Scalar | readonly Scalar[]) =>
    op !== 'eq' && op !== 'in' && String(operand).length > textMax
  const rows = (op: Operator, operand: Scalar | readonly Scalar[], orgId: string) =>
    sql`field_value o where o.org_id = ${orgId} and o.index_id = ${indexId} and ${onIndex(op, operand, type)}`
  return {
    ...scan,
    isMatched: isUnique,
    keyOf: (value) => ({
      table: rawSql('field_value'),
      condition: sql`k.index_id = ${indexId} and k.value = ${indexed(String(value), type)}`,
      recordId: sql`k.record_id`,
    }),
    matches: (op) => (isIndexed(op) ? 'few' : null),
    found: (op, operand, { orgId }) => rows(op, operand, orgId),
    countOf: (op, operand, { orgId }) =>
      isIndexed(op) && !isCut(op, operand)
        ? sql`select count(distinct o.record_id) from ${rows(op, operand, orgId)}`
        : undefined,
    where(op, operand, context) {
      const exact = scan.where(op, operand, context)
      if (!isIndexed(op) || context.isFound) return exact
      const found = sql`r.${rawSql(idField)} = any(array(select o.record_id from ${rows(op, operand, context.orgId)}))`
      return isCut(op, operand) ? sql`${found} and ${exact}` : found
    },
  }
}

const indexed = (member: string, type: string): Sql => sql`app.field_value(${member}::text, ${type}::text)`

function onIndex(op: Operator, operand: Scalar | readonly Scalar[], type: string): Sql {
  if (op === 'in') {
    const members = [operand].flat().map(String)
    return sql`o.value = any(array(select app.field_value(m, ${type}::text) from unnest(${members}::text[]) as m))`
  }
  const member = String(operand)
  if (op === 'eq') return sql`o.value = ${indexed(member, type)}`
  if (isOrder(op) && isNumber(member)) return orderedNumbers(op, member)
  const text = `t${member.slice(0, textMax)}`
  const last = sql`${text}::text || chr(1114111)`
  switch (op) {
    case 'gt':
      return sql`o.value > ${text} and o.value < 'u'`
    case 'gte':
      return sql`o.value >= ${text} and o.value < 'u'`
    case 'lt':
      return member.length > textMax
        ? sql`o.value >= 't' and o.value < ${last}`
        : sql`o.value >= 't' and o.value < ${text}`
    case 'lte':
      return member.length > textMax
        ? sql`o.value >= 't' and o.value < ${last}`
        : sql`o.value >= 't' and o.value <= ${text}`
    default:
      return startsWith(member, text, last)
  }
}

/** Numbers that are the same double are compared by their digits, which come after these 17 characters. */
function orderedNumbers(op: Operator, member: string): Sql {
  const bound = sql`app.number_order(${member}::numeric)`
  const order = sql`left(o.value, ${rawSql(String(orderLength))}) collate "C"`
  const digits = sql`substr(o.value, ${rawSql(String(orderLength + 1))})::numeric`
  const than = rawSql({ gt: '>', gte: '>=', lt: '<', lte: '<=' }[op as 'gt'])
  return op === 'gt' || op === 'gte'
    ? sql`o.value >= ${bound} and o.value < 'o' and (${order} > ${bound} or ${digits} ${than} ${member}::numeric)`
    : sql`o.value >= 'a' and o.value < ${bound} || 'z' and (${order} < ${bound} or ${digits} ${than} ${member}::numeric)`
}

/** The texts, and the numbers with these first digits. */
const startsWith = (member: string, text: string, last: Sql): Sql => {
  const texts = sql`o.value >= ${text} and o.value < ${last}`
  return /^[-0-9]/.test(member)
    ? sql`(${texts} or o.value >= 'a' and o.value < 'o'
        and starts_with(substr(o.value, ${rawSql(String(orderLength + 1))}), ${member}::text))`
    : texts
}
