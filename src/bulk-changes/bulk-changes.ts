import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { JobIdentity } from '../platform/jobs/identity.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { countRecords } from '../records/count-records.ts'
import { readOrgDefaults } from '../records/create.ts'
import { resolvedFields } from '../records/resolved-fields.ts'
import { readSegmentSelection } from '../records/segments/segment-filter.ts'
import { withSegment } from '../records/segments/with-segment.ts'
import type { RecordSelector } from '../records/selection.ts'
import { recordTypes } from '../segments/entities.ts'
import { type BulkChangePayload, bulkChangePayload } from './payload.ts'
import { readBulkChange } from './read.ts'
import { type BulkChange, type CreateBulkChange, changeMembers } from './schema.ts'

/** Changes the records of a bulk change. */
export const changeRecordsJob: JobIdentity<BulkChangePayload> & {
  serialKey(payload: BulkChangePayload): string
} = {
  name: 'change_records',
  payload: bulkChangePayload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ bulk_change_id: id }) => `bulk change ${id}`,
}

/**
 * Counts the records that a request would change, and checks the change.
 * @throws ValidationError at ["body", …]; DomainError not_found for an unknown owner or segment
 */
export async function previewChange(org: Org, input: CreateBulkChange): Promise<number> {
  // Not a read-only transaction: the check locks the member who becomes the owner.
  await org.transact((tx) => checkChange(tx, input))
  return countRecords(org, recordTypes[input.entity], await selectorOf(org, input))
}

/** Stores a bulk change, and enqueues its job. Events of records name the actor of `tx`. @throws as `previewChange` */
export async function createBulkChange(
  tx: OrgTx,
  org: Org,
  jobs: Jobs,
  input: CreateBulkChange,
): Promise<BulkChange> {
  const { orgId, actor } = tx
  await checkChange(tx, input)
  const selector = await selectorOf(org, input)
  const records = await countRecords(org, recordTypes[input.entity], selector)
  const { filter, q } = selector
  const id = newId()
  await tx.run(sql`
    insert into bulk_change (org_id, bulk_change_id, entity, selector, change, records, last_id, mode, api_key_id, member_id,
      connected_app_id, record_access)
    values (${orgId}, ${id}, ${input.entity}, ${JSON.stringify({ tree: filter?.tree ?? null, q: q ?? null })}::json,
      ${JSON.stringify(input.change)}::json, ${records}, ${newId()}, ${actor.mode}, ${actor.apiKeyId}, ${actor.memberId},
      ${actor.connectedAppId ?? null}, ${actor.recordAccess ?? null})`)
  await jobs.enqueue(tx, changeRecordsJob, { org_id: orgId, bulk_change_id: id })
  return readBulkChange(tx, id)
}

/** The selector of a request, with the filter of its segment. @throws ValidationError; DomainError not_found */
async function selectorOf(org: Org, input: CreateBulkChange): Promise<RecordSelector> {
  const { entity, filter = null, q = null, segment_id: segmentId } = input
  const type = recordTypes[entity]
  if (!filter && q === null && segmentId === undefined) {
    const why = refuse(
      'send a filter, words (q) or a segment. All records match {"field": "created_at", "op": "gte", "value": 0}',
    )
    throw new ValidationError([detailAt(['body', 'filter'], why)])
  }
  const read = readSegmentSelection(type, { filter, q, sort: null })
  const sent = { ...(read.filter && { filter: read.filter }), ...(read.q !== null && { q: read.q }) }
  return withSegment(org, type, { ...sent, segment_id: segmentId }, ['body', 'segment_id'])
}

/** @throws ValidationError at ["body", "change"…]; DomainError not_found for an unknown owner */
async function checkChange(tx: OrgTx, { entity, change }: CreateBulkChange): Promise<void> {
  const { archive, owner_id: ownerId, custom, ...tags } = change
  const at = (why: string) => new ValidationError([detailAt(['body', 'change'], refuse(why))])
  if (Object.keys(change).length === 0) throw at(`send what changes: ${changeMembers}`)
  if (archive && Object.keys(change).length > 1)
    throw at('archive records in a request without other changes')
  const both = tags.add_tags?.find((tag) => tags.remove_tags?.includes(tag))
  if (both !== undefined) throw at(`the tag "${both}" is in both add_tags and remove_tags`)
  const fields = { ...(ownerId !== undefined && { owner_id: ownerId }), ...(custom && { custom }) }
  try {
    resolvedFields(fields, await readOrgDefaults(tx, recordTypes[entity], [fields]))
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const details = error.details.map(({ loc, ...detail }) => ({
      ...detail,
      loc: ['body', 'change', ...loc.slice(1)],
    }))
    throw new ValidationError(details)
  }
}
