import { z } from 'zod'
import { filterText } from '../../platform/http/list.ts'
import { validate } from '../../platform/http/validation.ts'
import { filterTree } from '../filters/read-json.ts'
import type { SentFilter } from '../filters/tree.ts'
import type { RecordType } from '../record-type.ts'
import { sortSchema } from '../sort.ts'

/** What a segment selects. null: no condition, or the order of the list. */
export type SegmentSelection = { filter: SentFilter | null; q: string | null; sort: string | null }

const schemas = new WeakMap<RecordType, z.ZodType<SegmentSelection>>()

function schemaOf(type: RecordType): z.ZodType<SegmentSelection> {
  const known = schemas.get(type)
  if (known) return known
  const schema = z.object({
    filter: filterTree(type.filters).nullable(),
    q: filterText(200).nullable(),
    sort: sortSchema(type).nullable(),
  }) as unknown as z.ZodType<SegmentSelection>
  schemas.set(type, schema)
  return schema
}

/**
 * Reads the filter, the words and the order of a segment, from a request or from the database. Lists of the record type
 * read theirs in the same way.
 * @throws ValidationError at ["body", "filter"…], q or sort
 */
export function readSegmentSelection(
  type: RecordType,
  { filter, q, sort }: { filter: unknown; q: unknown; sort: unknown },
): SegmentSelection {
  const { body } = validate([{ in: 'body', schema: schemaOf(type), value: { filter, q, sort } }])
  return body
}
