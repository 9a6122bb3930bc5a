import type { Org } from '../../platform/db/org.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { notFound } from '../../platform/domain-error.ts'
import { refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { type Comparison, comparisonsIn, type FilterTree, type SentFilter } from '../filters/tree.ts'
import type { RecordType } from '../record-type.ts'
import { readSegmentSelection } from './segment-filter.ts'

type Selector = {
  segment_id?: string | undefined
  filter?: SentFilter | undefined
  q?: string | undefined
  sort?: string | undefined
}

type Path = readonly (string | number)[]

/** The conditions of a segment, as plain JSON. */
export type SegmentConditions = { tree: FilterTree | null; q: string | null; sort: string | null }

/**
 * The selector with the filter, the words and the order of its segment. A record must match the segment and the
 * selector. The order of the segment is used if the selector has none.
 * @param at the path of `segment_id` in the request
 * @throws DomainError not_found; ValidationError at `at` if the segment is of another record type, or cannot be read
 */
export async function withSegment<Query extends Selector>(
  org: Org,
  type: RecordType,
  query: Query,
  at: Path,
): Promise<Query> {
  const { segment_id: segmentId, ...selector } = query
  if (segmentId === undefined) return query
  return combined(selector, await readConditions(org, type, segmentId, at), at) as Query
}

/** The selector of the records that match a selector and a segment. @param at the path of the segment in the request */
export function combined(
  { filter, q, sort, ...others }: Selector,
  segment: SegmentConditions,
  at: Path,
): Selector {
  const words = [segment.q, q].filter((each) => typeof each === 'string')
  return {
    ...others,
    filter: bothFilters(segment.tree && filterAt(segment.tree, at), filter),
    // `q` finds records that have all words, so the words of both are one `q`.
    q: words.length > 0 ? words.join(' ') : undefined,
    sort: sort ?? segment.sort ?? undefined,
  }
}

/** @throws DomainError not_found; ValidationError at `at` if the segment is of another record type, or cannot be read */
export async function readConditions(
  org: Org,
  type: RecordType,
  segmentId: string,
  at: Path,
): Promise<SegmentConditions> {
  const [row] = await org.readRows(sql<Columns<'segment', 'entity' | 'filter' | 'q' | 'sort'>>`
    select entity, filter, q, sort from segment where org_id = ${org.orgId} and segment_id = ${segmentId}`)
  if (!row) throw notFound('reference_not_found', 'segment_id: no segment of this organization has this id')
  if (row.entity !== type.entity)
    throw refusedAt(
      at,
      `this segment has records of the type ${row.entity}: send one of the type ${type.entity}`,
    )
  try {
    const { filter, q, sort } = readSegmentSelection(type, row)
    return { tree: filter?.tree ?? null, q, sort }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw refusedAt(at, `the segment cannot be used any more: ${textOf(error)}. Change its filter.`)
  }
}

/** Returns the first problem, with its place. */
export function textOf({ details: [detail] }: ValidationError): string {
  return detail ? `${detail.loc.slice(1).join('.')}: ${detail.msg}` : 'its filter is not valid'
}

const refusedAt = (at: Path, text: string) => new ValidationError([detailAt(at, refuse(text))])

/** A problem with a value of the segment is reported at the segment, not at the filter of the request. */
const filterAt = (tree: FilterTree, at: Path): SentFilter => ({
  tree,
  places: new Map(comparisonsIn(tree).map((each): [Comparison, Path] => [each, at])),
  stored: new Set(comparisonsIn(tree)),
})

function bothFilters(one: SentFilter | null, other: SentFilter | undefined): SentFilter | undefined {
  if (!one || !other) return one ?? other
  return {
    tree: { and: [one.tree, other.tree] },
    places: new Map([...one.places, ...other.places]),
    stored: new Set([...(one.stored ?? []), ...(other.stored ?? [])]),
  }
}
