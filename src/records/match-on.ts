import type { z } from 'zod'
import { literal } from '../platform/http/fields.ts'
import type { RecordType } from './record-type.ts'

/** The keys by which a write can find a record. */
export const matchOnOf = ({ title, matchOn }: RecordType): z.ZodType<string, unknown> =>
  literal(...(Object.keys(matchOn) as [string, ...string[]])).meta({
    title: `${title}MatchOn`,
    description: 'The key by which the record is found.',
  })
