import { customKey } from '../records/filters/custom.ts'
import type { RecordType } from '../records/record-type.ts'
import { type Column, listOfNames } from './columns.ts'

/** For each value of `match_on`, the fields that can give a row its key, besides the field of that name. */
const sources: Readonly<Record<string, readonly string[]>> = {
  email: ['emails'],
  phone: ['phones'],
  domain: ['domains', 'website'],
  external_id: ['external_ids'],
}

/** The values of `match_on` of an import: the id of the record, and the keys of an upsert. */
export const importKeysOf = ({ idField, matchOn }: RecordType): [string, ...string[]] => [
  idField,
  ...Object.keys(matchOn),
]

/** Returns the sentence that refuses a file without a column for the key of `match_on`; null if the file has one. */
export function missingKeyColumn(columns: readonly Column[], matchOn: string): string | null {
  const key = customKey(matchOn)
  const fields = key === null ? [matchOn, ...(sources[matchOn] ?? [])] : [`custom:${key}`]
  const isKey = ({ field }: Column) =>
    typeof field === 'string'
      ? fields.includes(field)
      : field !== null && ('custom' in field ? field.custom === key : matchOn === 'external_id')
  if (columns.some(isKey)) return null
  return (
    `match_on is ${matchOn}, but no column of the file is ${fields.join(' or ')}. ` +
    `Map a column to it, or choose another match_on. ${listOfNames(columns.map(({ header }) => header))}`
  )
}
