import type { z } from 'zod'
import { rawSql } from '../platform/db/sql.ts'
import { field } from '../platform/http/fields.ts'
import { notOneOf } from '../platform/http/refusal.ts'
import { customKey, customSort } from './filters/custom.ts'
import type { RecordType, Sort } from './record-type.ts'

/** A cursor contains the sort key and must stay short. Longer names with the same start are sorted by id. */
const nameMax = 100

/** Sorts in Unicode order, and ignores letter case. */
export const nameSort = (name: string): Sort => ({
  key: {
    sql: rawSql(`lower(left(nullif(${name}, ''), ${nameMax})) collate "C"`),
    type: 'text',
    isNullable: true,
  },
})

export const defaultSort = '-created_at'

/** The schema of `sort`: a sortable field or `custom.<key>`, with `-` for the descending order. */
export function sortSchema({ title, sorts }: RecordType): z.ZodType<string, unknown> {
  const names = Object.keys(sorts).flatMap((name) => [name, `-${name}`])
  const known = new Set(names)
  const refused = notOneOf([...names, 'custom.<key>', '-custom.<key>'])
  return field(
    (value) =>
      typeof value === 'string' && (known.has(value) || customKey(nameIn(value)) !== null) ? value : refused,
    {
      title: `${title}Sort`,
      type: 'string',
      anyOf: [
        { title: `${title}SortField`, type: 'string', enum: names },
        { type: 'string', pattern: '^-?custom\\..{1,100}$' },
      ],
    },
  )
}

/** The field of `sort`, without the sign. */
export const nameIn = (sort: string) => (sort.startsWith('-') ? sort.slice(1) : sort)

/** How `sort` orders records of this type. */
export function orderOf({ sorts }: RecordType, sort: string): Sort & { descending: boolean } {
  const name = nameIn(sort)
  const key = customKey(name)
  return { ...(sorts[name] ?? (key === null ? {} : customSort(key))), descending: name !== sort }
}
