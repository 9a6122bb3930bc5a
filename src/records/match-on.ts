import type { z } from 'zod'
import { field } from '../platform/http/fields.ts'
import { missing, notOneOf, Refusal } from '../platform/http/refusal.ts'
import { customKey } from './filters/custom.ts'
import type { RecordType } from './record-type.ts'

/** The keys by which a write can find a record. */
export const matchOnOf = ({ title, matchOn }: RecordType): z.ZodType<string, unknown> =>
  matchOnSchema(`${title}MatchOn`, Object.keys(matchOn)).meta({
    title: `${title}MatchOn`,
    description: 'The key by which the record is found. `custom.<key>` is a unique defined field.',
  })

/** Why `custom.<key>` cannot be a match key: the field is not defined, or not unique. */
export const notUniqueField = (matchOn: string): string =>
  `${matchOn} is not a unique field of this record type: define it with "unique": true (POST /fields), or choose another match_on`

/** One of `names`, or `custom.<key>`. */
export function matchOnSchema(title: string, names: readonly string[]): z.ZodType<string, unknown> {
  const refused = notOneOf([...names, 'custom.<key>'])
  return field(
    (value) =>
      typeof value === 'string' && (names.includes(value) || customKey(value) !== null) ? value : refused,
    {
      type: 'string',
      anyOf: [
        { title: `${title}Key`, type: 'string', enum: [...names] },
        { type: 'string', pattern: '^custom\\..{1,100}$' },
      ],
    },
    new Refusal(missing.type, `${missing.msg}: ${refused.ctx?.expected}`, refused.ctx),
  )
}
