import type { RecordType, Sort } from './record-type.ts'

/** Names that agree in this many characters are sorted by id. A cursor contains the key, and must stay short. */
const nameMax = 100

/** Sorts by a name in the order of Unicode, and ignores letter case. */
export const nameSort = (name: string): Sort => ({
  key: {
    sql: `lower(left(nullif(${name}, ''), ${nameMax})) collate "C"`,
    type: 'text',
    isNullable: true,
    isIndexed: false,
  },
})

/** The values of `sort`. The first one is the default: the newest record first. */
export const sortNames = ({ sorts }: RecordType): [string, ...string[]] => [
  defaultSort,
  ...Object.keys(sorts).flatMap((name) => (name === 'created_at' ? [name] : [name, `-${name}`])),
]

export const defaultSort = '-created_at'

/** The order that a value of `sort` names. */
export function orderOf({ sorts }: RecordType, sort: string): Sort & { descending: boolean } {
  const descending = sort.startsWith('-')
  return { ...sorts[descending ? sort.slice(1) : sort], descending }
}
