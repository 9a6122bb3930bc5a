import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { field, text } from '../../platform/http/fields.ts'
import { notText } from '../../platform/http/refusal.ts'
import type { FilterField, Sort } from '../record-type.ts'
import { compared, textMax } from './columns.ts'
import type { Operator } from './tree.ts'

const prefix = 'custom.'
const keyMax = 100

/** The member of `custom` that `custom.<key>` names; null for any other name. */
export function customKey(name: string): string | null {
  const key = name.slice(prefix.length)
  return name.startsWith(prefix) && key.length > 0 && key.length <= keyMax && !key.includes('\0') ? key : null
}

/** The texts of JSON numbers. Longer numbers are compared as text, because they would overflow PostgreSQL's double precision. */
const numberPattern = '^-?(?:0|[1-9][0-9]{0,99})(?:\\.[0-9]{1,100})?(?:[eE][+-]?[0-9]{1,2})?$'
const isNumber = new RegExp(numberPattern)

/** SQL of the text of a number; null for any other text. */
const numberIn = (value: Sql): Sql => sql`substring(${value}, ${numberPattern}::text)`

const customText = text({ min: 1, max: textMax })

/** A text. Numbers and booleans are read as text. */
const scalarText = field<string>(
  (value) => {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    const read = customText.safeParse(value)
    return read.success ? read.data : notText
  },
  { type: ['string', 'number', 'boolean'] } as never,
)

/** A member of `custom`: 5 and "5" are equal, and have the same order. */
export function customFilter(key: string): FilterField {
  return {
    schema: scalarText,
    operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'starts_with', 'is_null'],
    where(op, operand) {
      const member = sql`(r.custom ->> ${key}::text)`
      const isOrder = ['gt', 'gte', 'lt', 'lte'].includes(op)
      return isOrder ? ordered(member, op, String(operand)) : compared(member, op, operand, rawSql('text'))
    },
  }
}

/** Numbers are compared with numbers, and other texts with other texts. */
function ordered(member: Sql, op: Operator, operand: string): Sql {
  const number = numberIn(member)
  return isNumber.test(operand)
    ? compared(sql`${number}::numeric`, op, operand, rawSql('numeric'))
    : sql`(${number} is null and ${compared(sql`${member} collate "C"`, op, operand, rawSql('text'))})`
}

/** Longer texts that begin alike are sorted by their ids: a cursor has the key, and must stay short. */
const sortedMax = 100

/**
 * Sorts by a member of `custom`: numbers first, and then texts whatever their letter case. The bytes of a double have the
 * order of the numbers; those of negative numbers have the opposite order.
 */
export const customSort = (key: string): Sort => ({
  key: {
    // The inner select reads the member once: parsing its JSON costs most.
    sql: sql`(
      select case when m.number is null then 't' || lower(left(m.member, ${rawSql(String(sortedMax))}))
        when m.number < 0 then 'a' || translate(encode(float8send(m.number), 'hex'), '0123456789abcdef', 'fedcba9876543210')
        else 'n' || encode(float8send(m.number), 'hex') end
      from (select v.member, ${numberIn(sql`v.member`)}::float8 + 0 as number
        from (select r.custom ->> ${key}::text as member offset 0) as v offset 0) as m
      where m.member is not null
    ) collate "C"`,
    type: 'text',
    isNullable: true,
  },
})
