import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { field, text } from '../../platform/http/fields.ts'
import { notText } from '../../platform/http/refusal.ts'
import type { FilterField, Sort } from '../record-type.ts'
import { comparison, textMax } from './columns.ts'
import { type Operator, operators } from './tree.ts'

const prefix = 'custom.'
const keyMax = 100

/** Tells a program that filters by the bare key of a defined field, such as `tier`, what to send. */
export const customExpected = 'custom.<key> for a field of your own'

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
/** Returns whether a text of at most 100 characters is a number. */
export const isNumber = (value: string): boolean => value.length <= numberMax && numberTest.test(value)

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

/**
 * Makes the filter of a member of `custom`. A list matches if one of its elements does.
 * @param areNumbers true: 5 and 5.0 are equal. false: equal numbers have the same digits
 */
export function customFilter(key: string, areNumbers = false): FilterField {
  return {
    schema: scalarText,
    operators,
    where(op, operand) {
      if (op === 'is_null') return comparison(sql`(r.custom ->> ${key}::text)`, op, operand, rawSql('text'))
      const [isNot, asked] = op === 'ne' ? [true, 'eq' as const] : [false, op]
      const test = testOf(asked, operand as string | readonly string[], areNumbers)
      const isMatch = sql`(select case
          when left(v.member, 1) = '[' and json_typeof(r.custom -> ${key}::text) = 'array'
            then exists (select from json_array_elements_text(r.custom -> ${key}::text) as v (member) where ${test})
          else ${test} end
        from ${memberTable(key)})`
      return isNot ? sql`${isMatch} is not true` : isMatch
    },
  }
}

/** Returns whether an operator compares by order. */
export const isOrder = (op: Operator): boolean => ['gt', 'gte', 'lt', 'lte'].includes(op)

/** SQL of a condition on `v.member`. */
function testOf(op: Operator, operand: string | readonly string[], areNumbers: boolean): Sql {
  if (isOrder(op)) return ordered(op, String(operand))
  const same = comparison(sql`v.member`, op, operand, rawSql('text'))
  const numbers = areNumbers && op !== 'starts_with' ? [operand].flat().filter(isNumber) : []
  return numbers.length === 0 ? same : sql`(${same} or (${number})::numeric = any(${numbers}::numeric[]))`
}

const ordered = (op: Operator, operand: string): Sql =>
  isNumber(operand)
    ? comparison(sql`(${number})::numeric`, op, operand, rawSql('numeric'))
    : sql`((${number}) is null and ${comparison(sql`v.member collate "C"`, op, operand, rawSql('text'))})`

/** A cursor contains the sort key and must stay short. Longer texts with the same start are sorted by id. */
const sortedMax = 100

/** The bytes of positive doubles have the order of the numbers; negative doubles have the opposite order. */
const numberOrder = rawSql(`case when m.number < 0
    then 'a' || translate(encode(float8send(m.number), 'hex'), '0123456789abcdef', 'fedcba9876543210')
    else 'n' || encode(float8send(m.number), 'hex') end`)

/**
 * SQL of the sort key of a member. `key` computes it from `m.member` and, if the member is a number, from `m.digits`
 * and `m.number`.
 */
const memberSort = (member: string, key: Sql): NonNullable<Sort['key']> => ({
  sql: sql`(
    select ${key} from (
      select d.member, d.digits, d.digits::float8 + 0 as number
      from (select v.member, (${number}) as digits from ${memberTable(member)} offset 0) as d offset 0
    ) as m where m.member is not null
  ) collate "C"`,
  type: 'text',
  isNullable: true,
})

/** Sorts numbers first, then texts, ignoring letter case. */
export const customSort = (member: string): Sort => ({
  key: memberSort(
    member,
    sql`case when m.number is null then 't' || lower(left(m.member, ${rawSql(String(sortedMax))})) else ${numberOrder} end`,
  ),
})

/**
 * Sorts a defined field in the order of its index: by the text that app.field_value makes. That function takes 15 µs for a
 * number, this SQL 2 µs. A list has several values in the index, so it counts as no value.
 * @param index its rows; null: it is not complete
 */
export function definedSort(member: string, type: string, index: Sql | null): Sort {
  const digits = rawSql(type === 'number' ? 'trim_scale(m.digits::numeric)::text' : 'm.digits')
  const key = memberSort(
    member,
    sql`case when m.number is not null then ${numberOrder} || ${digits}
      when left(m.member, 1) = '[' and json_typeof(r.custom -> ${member}::text) = 'array' then null
      when length(m.member) > 200 then 't' || left(m.member, 200) || chr(1) || md5(m.member)
      else 't' || m.member end`,
  )
  return { key: { ...key, ...(index && { index }) } }
}
