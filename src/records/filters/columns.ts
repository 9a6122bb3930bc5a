import type { z } from 'zod'
import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { boolean, day, id, integer, text, timestamp } from '../../platform/http/fields.ts'
import type { ExpectedMatches, FilterField } from '../record-type.ts'
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
  date: { schema: day, type: 'date', operators: ordered },
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
  return { schema, operators, where: (op, operand) => comparison(column, op, operand, type) }
}

export const textFilter = (value: string): FilterField => comparableFilter(value, 'text')
export const idFilter = (value: string): FilterField => comparableFilter(value, 'uuid')

/** An index finds records by the exact value. */
export const manyIfEqual = (op: Operator): ExpectedMatches => (op === 'eq' ? 'many' : null)

export const importFilter: FilterField = { ...idFilter('r.import_id'), matches: manyIfEqual }

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

/** Only whole seconds are compared: answers show no fractions. */
function timeFilter(value: string): FilterField {
  const column = rawSql(value)
  return {
    schema: timestamp(),
    operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'is_null'],
    where(op, operand) {
      const [from, next] = [sql`to_timestamp(${operand})`, sql`to_timestamp(${Number(operand) + 1})`]
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
