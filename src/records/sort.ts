import type { RecordType, Sort } from './record-type.ts'

/** Longer names that begin alike are sorted by their ids: a cursor has the key, and must stay short. */
const nameMax = 100

/** Sorts by a name, whatever its letter case, in the order of Unicode. */
export const nameSort = (name: string): Sort => ({
  key: {
    sql: `lower(left(nullif(${name}, ''), ${nameMax})) collate "C"`,
    type: 'text',
    isNullable: true,
    isIndexed: false,
  },
})

/** The values of `sort`: the last created record comes first unless told. */
export const sortNames = ({ sorts }: RecordType): [string, ...string[]] => [
  defaultSort,
  ...Object.keys(sorts).flatMap((name) => (name === 'created_at' ? [name] : [name, `-${name}`])),
]

export const defaultSort = '-created_at'

/** The order that a value of `sort` means. */
export function orderOf({ sorts }: RecordType, sort: string): Sort & { descending: boolean } {
  const descending = sort.startsWith('-')
  return { ...sorts[descending ? sort.slice(1) : sort], descending }
}
