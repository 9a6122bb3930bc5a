import { recordEvents } from '../events/record.ts'
import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { conflict, notFound } from '../platform/domain-error.ts'
import { tooManyBytes } from '../platform/http/collections.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { Json } from '../platform/json.ts'
import { mapInSlices } from '../platform/slices.ts'
import { requireFittingValues } from '../records/defined-fields/refused-values.ts'
import { readSegmentSelection } from '../records/segments/segment-filter.ts'
import { requestCount } from './counts.ts'
import { recordTypes } from './entities.ts'
import {
  type FilterSettings,
  fieldTypesIn,
  problemOf,
  readFilterSettings,
  type StoredFilter,
  unreadableValues,
} from './problems.ts'
import type { CreateSegment, Segment, SegmentProblem, UpdateSegment } from './schema.ts'

/** The list has no pages, so the number of segments and the size of their filters are limited. */
const segmentsMax = 200
const filterBytesMax = 16 * 1024

type Row = Omit<Segment, 'problem' | 'count_state'> & StoredFilter

const columns = sql`
  segment_id, entity, name, filter, q, sort, field_types, version,
  count, floor(extract(epoch from counted_at))::bigint as counted_at,
  floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from updated_at))::bigint as updated_at`

/**
 * The JSON of the segments of these records, by their records and names. Each filter is read again, which takes up to 30
 * ms, so this is done in slices, without a connection to the database.
 */
export async function listSegments(
  org: Org,
  entities: readonly EntityType[],
): Promise<{ ids: string[]; list: Json }> {
  const [rows, settings] = await org.read((tx) =>
    Promise.all([
      tx.rows(sql<Row>`
        select ${columns} from segment where org_id = ${tx.orgId} and entity = any (${entities}::text[])
        order by array_position(${entityTypes}::text[], entity::text), lower(name), segment_id`),
      readFilterSettings(tx),
    ]),
  )
  const texts = await mapInSlices(org.payerId, rows, (row) => JSON.stringify(shownTo(org, row, settings)))
  return { ids: rows.map((row) => row.segment_id), list: Json.list(texts) }
}

/** @throws DomainError not_found */
export async function readSegment(tx: OrgTx, segmentId: string): Promise<Segment> {
  const [row, settings] = await Promise.all([findRow(tx, segmentId), readFilterSettings(tx)])
  return shownTo(tx, row, settings)
}

/**
 * Stores a segment.
 * @throws ValidationError at ["body", "filter"…]; DomainError conflict if the organization has 200 segments
 */
export async function createSegment(tx: OrgTx, jobs: Jobs, input: CreateSegment): Promise<Segment> {
  const { entity, name } = input
  const { filter, q, sort, fieldTypes } = await readSelection(tx, entity, input, true)
  await lockExclusive(tx, `segments ${tx.orgId}`)
  const found = await tx.first(sql<{ segments: number }>`
    select count(*)::int as segments from segment where org_id = ${tx.orgId}`)
  if ((found?.segments ?? 0) >= segmentsMax)
    throw conflict('limit_reached', `An organization can have at most ${segmentsMax} segments.`)
  const segmentId = newId()
  await tx.run(sql`
    insert into segment (org_id, segment_id, entity, name, filter, q, sort, field_types)
    values (${tx.orgId}, ${segmentId}, ${entity}, ${name}, ${filter}::json, ${q}, ${sort}, ${fieldTypes}::json)`)
  await requestCount(tx, jobs, segmentId)
  await recordEvents(tx, [{ type: 'segment.created', objectId: segmentId }])
  return readSegment(tx, segmentId)
}

const changeable = ['name', 'filter', 'q', 'sort'] as const

/** @throws ValidationError at ["body", "filter"…]; DomainError not_found; conflict if `version` is not the current one */
export async function changeSegment(
  tx: OrgTx,
  jobs: Jobs,
  segmentId: string,
  input: UpdateSegment,
  version: number | undefined,
): Promise<Segment> {
  const row = await findRow(tx, segmentId, 'for no key update')
  requireVersion('this segment', version, row.version)
  // A stored filter that is not valid any more does not prevent a new name.
  const selects = changeable.some((each) => each !== 'name' && input[each] !== undefined)
  const sent = { ...row, ...defined(input) }
  const selection = selects ? await readSelection(tx, row.entity, sent, input.filter !== undefined) : null
  const asked = {
    name: input.name ?? row.name,
    filter: selection ? parsed(selection.filter) : row.filter,
    q: selection ? selection.q : row.q,
    sort: selection ? selection.sort : row.sort,
  }
  const changed = changeable.filter((each) => JSON.stringify(asked[each]) !== JSON.stringify(row[each]))
  const fieldTypes = selection?.fieldTypes ?? JSON.stringify(row.field_types)
  if (changed.length === 0 && fieldTypes === JSON.stringify(row.field_types))
    return readSegment(tx, segmentId)
  const { name, filter, q, sort } = asked
  await tx.run(sql`
    update segment
    set name = ${name}, filter = ${filter && JSON.stringify(filter)}::json, q = ${q}, sort = ${sort},
      field_types = ${fieldTypes}::json, version = version + 1, updated_at = clock_timestamp()
    where org_id = ${tx.orgId} and segment_id = ${segmentId}`)
  if (changed.includes('filter') || changed.includes('q')) await requestCount(tx, jobs, segmentId)
  await recordEvents(tx, [{ type: 'segment.updated', objectId: segmentId, changed }])
  return readSegment(tx, segmentId)
}

/** @throws DomainError not_found; conflict if `version` is not the current one, or if a webhook endpoint uses it */
export async function deleteSegment(
  tx: OrgTx,
  segmentId: string,
  version: number | undefined,
): Promise<void> {
  const { version: current } = await findRow(tx, segmentId, 'for update')
  requireVersion('this segment', version, current)
  await requireUnused(tx, segmentId)
  await tx.run(sql`delete from segment where org_id = ${tx.orgId} and segment_id = ${segmentId}`)
  await recordEvents(tx, [{ type: 'segment.deleted', objectId: segmentId }])
}

/** @throws DomainError conflict */
async function requireUnused(tx: OrgTx, segmentId: string): Promise<void> {
  const users = await tx.rows(sql<{ endpoint_id: string }>`
    select endpoint_id from webhook_endpoint where org_id = ${tx.orgId} and segment_id = ${segmentId} order by endpoint_id`)
  const [first] = users
  if (first)
    throw conflict(
      'segment_in_use',
      `${users.length === 1 ? 'A webhook endpoint uses' : `${users.length} webhook endpoints use`} this segment, such as ${first.endpoint_id}. Give them another segment, or send "segment_id": null.`,
    )
}

/** Returns the record type of a segment, by which a caller may use it. @throws DomainError not_found */
export async function entityOf(tx: OrgTx, segmentId: string): Promise<EntityType> {
  return (await findRow(tx, segmentId)).entity
}

async function findRow(
  tx: OrgTx,
  segmentId: string,
  lock: 'for update' | 'for no key update' | '' = '',
): Promise<Row> {
  const row = await tx.first(sql<Row>`
    select ${columns} from segment where org_id = ${tx.orgId} and segment_id = ${segmentId}
    ${rawSql(lock)}`)
  if (!row) throw notFound('object_not_found', 'No segment of this organization has this id')
  return row
}

/** The stored count includes records that a limited member does not see. */
function shownTo({ actor }: Pick<Org, 'actor'>, row: Row, settings: FilterSettings): Segment {
  const shown = shownOf(row, settings)
  return actor.recordAccess === undefined
    ? shown
    : { ...shown, count: null, counted_at: null, count_state: 'limited' }
}

function shownOf(row: Row, settings: FilterSettings): Segment {
  const { field_types: _, ...shown } = row
  const problem = problemOf(row, settings)
  return { ...shown, count_state: countState(row, problem), problem }
}

function countState({ count, counted_at: countedAt }: Row, problem: SegmentProblem | null) {
  if (problem?.code === 'filter_invalid') return 'filter_invalid'
  if (count !== null) return 'counted'
  return countedAt === null ? 'counting' : 'too_slow'
}

const defined = (input: UpdateSegment) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

const parsed = (text: string | null): unknown => text && JSON.parse(text)

/**
 * What a segment stores of its selection.
 * @param isNew whether the request has the filter. A stored filter may name an option that no longer exists
 * @throws ValidationError at ["body", "filter"…]
 */
async function readSelection(
  tx: OrgTx,
  entity: EntityType,
  sent: { filter: unknown; q: string | null; sort: string | null },
  isNew: boolean,
) {
  const type = recordTypes[entity]
  const { filter, q, sort } = readSegmentSelection(type, sent)
  const text = filter && JSON.stringify(filter.tree)
  if (text && Buffer.byteLength(text) > filterBytesMax)
    throw new ValidationError([detailAt(['body', 'filter'], tooManyBytes(filterBytesMax))])
  const settings = await readFilterSettings(tx)
  const unreadable = filter ? unreadableValues(filter.tree, type, settings) : []
  if (unreadable.length > 0)
    throw new ValidationError(
      unreadable.map(([each, why]) => detailAt(filter?.places.get(each) ?? ['body', 'filter'], why)),
    )
  const definitions = settings.definitions.filter((each) => each.entity === entity)
  if (filter && isNew) requireFittingValues(filter, definitions)
  const fieldTypes = JSON.stringify(fieldTypesIn(filter?.tree, entity, settings))
  return { filter: text, q, sort, fieldTypes }
}
