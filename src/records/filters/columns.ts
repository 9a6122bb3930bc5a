import type { z } from 'zod'
import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { boolean, day, id, integer, text, timestamp } from '../../platform/http/fields.ts'
import type { ExpectedMatches, FilterField } from '../record-type.ts'
import { dayOf, orRelativeDay, secondsOf } from './relative-day.ts'
import type { Operator, Scalar } from './tree.ts'

export const textMax = 1000

type Comparable = { schema: z.ZodType<Scalar>; type: string; operators: readonly Operator[] }

const ordered = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'is_null'] as const

const comparables = {
  text: {
    schema: text({ min: 1, max: textMax }),
    type: 'text',
    operators: ['eq', 'ne', 'in', 'starts_with', 'is_null'],
  },
  integer: { schema: integer(), type: 'bigint', operators: ordered },
  bigint: { schema: integer(), type: 'bigint', operators: ordered },
  date: { schema: orRelativeDay(day, { type: 'string' }), type: 'date', operators: ordered },
  uuid: { schema: id(), type: 'uuid', operators: ['eq', 'ne', 'in', 'is_null'] },
  boolean: { schema: boolean(), type: 'boolean', operators: ['eq', 'ne', 'is_null'] },
} satisfies Record<string, Comparable>

/** Makes the filter of a column; undefined if its type has no filter. */
export function columnFilter(value: string, sqlType: string): FilterField | undefined {
  if (sqlType === 'timestamptz') return timeFilter(value)
  return isComparable(sqlType) ? comparableFilter(value, sqlType) : undefined
}

const isComparable = (sqlType: string): sqlType is keyof typeof comparables =>
  Object.hasOwn(comparables, sqlType)

function comparableFilter(value: string, sqlType: keyof typeof comparables): FilterField {
  const { schema, type: operandType, operators } = comparables[sqlType]
  const [column, type] = [rawSql(value), rawSql(operandType)]
  const read = sqlType === 'date' ? (value: unknown) => dayOf(value) ?? value : (value: unknown) => value
  return {
    schema,
    operators,
    where: (op, operand) =>
      comparison(column, op, Array.isArray(operand) ? operand.map(read) : read(operand), type),
  }
}

/** A filter by a text, from its SQL. */
export const textFilter = (value: string): FilterField => comparableFilter(value, 'text')
/** A filter by an id, from its SQL. */
export const idFilter = (value: string): FilterField => comparableFilter(value, 'uuid')

/** An index finds records by the exact value. */
export const manyIfEqual = (op: Operator): ExpectedMatches => (op === 'eq' ? 'many' : null)

export const importFilter: FilterField = { ...idFilter('r.import_id'), matches: manyIfEqual }

/** SQL of a comparison. `ne` also matches a column without a value. */
export function comparison(column: Sql, op: Operator, operand: unknown, type: Sql): Sql {
  switch (op) {
    case 'eq':
      return sql`${column} = ${operand}::${type}`
    case 'ne':
      return sql`${column} is distinct from ${operand}::${type}`
    case 'gt':
      return sql`${column} > ${operand}::${type}`
    case 'gte':
      return sql`${column} >= ${operand}::${type}`
    case 'lt':
      return sql`${column} < ${operand}::${type}`
    case 'lte':
      return sql`${column} <= ${operand}::${type}`
    case 'in':
      return sql`${column} = any(${operand}::${type}[])`
    case 'starts_with':
      return sql`starts_with(${column}, ${operand}::text)`
    case 'is_null':
      return operand ? sql`${column} is null` : sql`${column} is not null`
  }
}

/** Only whole seconds are compared: answers show no fractions. A relative day has all seconds of the day. */
function timeFilter(value: string): FilterField {
  const column = rawSql(value)
  return {
    schema: orRelativeDay(timestamp(), { type: ['integer', 'string'] }),
    operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'is_null'],
    where(op, operand) {
      const day = dayOf(operand)
      const [first, after] = day === null ? [operand, Number(operand) + 1] : secondsOf(day)
      const [from, next] = [sql`to_timestamp(${first})`, sql`to_timestamp(${after})`]
      const isEqual = sql`(${column} >= ${from} and ${column} < ${next})`
      switch (op) {
        case 'eq':
          return isEqual
        case 'ne':
          return sql`${isEqual} is not true`
        case 'gt':
          return sql`${column} >= ${next}`
        case 'gte':
          return sql`${column} >= ${from}`
        case 'lt':
          return sql`${column} < ${from}`
        case 'lte':
          return sql`${column} < ${next}`
        default:
          return comparison(column, op, operand, rawSql('timestamptz'))
      }
    },
  }
}
