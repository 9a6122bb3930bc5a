import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { field, text } from '../../platform/http/fields.ts'
import { notText } from '../../platform/http/refusal.ts'
import type { FilterField, Sort } from '../record-type.ts'
import { comparison, textMax } from './columns.ts'
import type { Operator } from './tree.ts'

const prefix = 'custom.'
const keyMax = 100

/** Returns null for a name that is not `custom.<key>`. */
export function customKey(name: string): string | null {
  const key = name.slice(prefix.length)
  return name.startsWith(prefix) && key.length > 0 && key.length <= keyMax && !key.includes('\0') ? key : null
}

/**
 * Longer numbers and larger exponents would overflow double precision, so they are compared as text. (Measured: a bound
 * on the length in the pattern makes a match take 10 µs instead of 1.4 µs.)
 */
const numberPattern = '^-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9][0-9]?)?$'
const numberMax = 100
const numberTest = new RegExp(numberPattern)
const isNumber = (value: string) => value.length <= numberMax && numberTest.test(value)

/** Reads the member only once: parsing the JSON costs most of the time. */
const memberTable = (key: string): Sql => sql`(select r.custom ->> ${key}::text as member offset 0) as v`

/** SQL of `v.member` if it is a number, otherwise null. The first character excludes most other texts. */
const number = sql`case when left(v.member, 1) < ':' collate "C" and length(v.member) <= ${rawSql(String(numberMax))}
  then substring(v.member, ${rawSql(`'${numberPattern}'`)}) end`

const customText = text({ min: 1, max: textMax })

/** Numbers and booleans are read as text. */
const scalarText = field<string>(
  (value) => {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    const read = customText.safeParse(value)
    return read.success ? read.data : notText
  },
  { type: ['string', 'number', 'boolean'] } as never,
)

/** Makes the filter of a custom field. The number 5 and the text "5" are equal. */
export function customFilter(key: string): FilterField {
  return {
    schema: scalarText,
    operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'starts_with', 'is_null'],
    where(op, operand) {
      const isOrder = ['gt', 'gte', 'lt', 'lte'].includes(op)
      return isOrder
        ? sql`(select ${ordered(op, String(operand))} from ${memberTable(key)})`
        : comparison(sql`(r.custom ->> ${key}::text)`, op, operand, rawSql('text'))
    },
  }
}

const ordered = (op: Operator, operand: string): Sql =>
  isNumber(operand)
    ? comparison(sql`(${number})::numeric`, op, operand, rawSql('numeric'))
    : sql`(${number}) is null and ${comparison(sql`v.member collate "C"`, op, operand, rawSql('text'))}`

/** A cursor contains the sort key and must stay short. Longer texts with the same start are sorted by id. */
const sortedMax = 100

/**
 * Sorts numbers first, then texts, ignoring letter case. The bytes of positive doubles have the order of the numbers;
 * negative doubles have the opposite order.
 */
export const customSort = (key: string): Sort => ({
  key: {
    sql: sql`(
      select case when m.number is null then 't' || lower(left(m.member, ${rawSql(String(sortedMax))}))
        when m.number < 0 then 'a' || translate(encode(float8send(m.number), 'hex'), '0123456789abcdef', 'fedcba9876543210')
        else 'n' || encode(float8send(m.number), 'hex') end
      from (select v.member, (${number})::float8 + 0 as number from ${memberTable(key)} offset 0) as m
      where m.member is not null
    ) collate "C"`,
    type: 'text',
    isNullable: true,
  },
})
