import type { EntityType } from '../matching/entity-type.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { parseExactJson } from '../platform/http/json-body.ts'
import { ValidationError } from '../platform/http/validation.ts'
import { readOrgDefaults } from '../records/create.ts'
import { withDefinedFilters } from '../records/defined-fields/defined-filters.ts'
import type { FilterTree } from '../records/filters/tree.ts'
import type { Failed, ItemWithId, Written } from '../records/items/item.ts'
import { writeItems } from '../records/items/write.ts'
import { minUuid } from '../records/min-uuid.ts'
import { namesOf } from '../records/names.ts'
import type { RecordType } from '../records/record-type.ts'
import { type RecordSelector, selectionOf } from '../records/selection.ts'
import { changedFields } from '../records/write.ts'
import { recordTypes } from '../segments/entities.ts'
import { endBulkChange } from './progress.ts'
import type { BulkChange, Change } from './schema.ts'

const recordsPerStep = rawSql('200')
const shownRefusalsMax = rawSql('100')

type Running = {
  entity: EntityType
  selector: string
  change: string
  last_id: string
  changed_to: string | null
}

/** Changes the next records and stores the progress, in one transaction. Returns true at the end. */
export const changeNext = (org: Org, id: string): Promise<boolean> =>
  org.transact(async (tx) => {
    // JSON is read as text, so that large numbers keep all digits.
    const running = await tx.first(sql<Running>`
      select entity, selector::text, change::text, last_id, changed_to from bulk_change
      where org_id = ${tx.orgId} and bulk_change_id = ${id} and status in ('queued', 'running') for no key update`)
    if (!running) return true
    const type = recordTypes[running.entity]
    const change = parseExactJson(running.change) as Change
    const { owner_id, custom } = change
    // Lock the definitions and the members before the records, as other writes do.
    await readOrgDefaults(tx, type, [{ owner_id, custom }])
    const next = await nextRecords(tx, org.within(tx), type, running).catch((error) => {
      if (error instanceof ValidationError) return error
      throw error
    })
    if (next instanceof ValidationError) {
      await endBulkChange(tx, id, { code: 'filter_unusable', message: unusable(next) })
      return true
    }
    if (next === null) {
      await endBulkChange(tx, id, 'succeeded')
      return true
    }
    const { rows, lastId } = next
    const items = rows.map((row) => itemOf(row, change))
    const results = await writeItems(tx, type, items)
    const refusals = rows.flatMap(({ record_id: recordId }, index) => {
      const result = results[index]
      return result?.outcome === 'failed' ? [refusalOf(recordId, result)] : []
    })
    const unchanged = results.filter((result) => isUnchanged(type, result)).length
    const changed = rows.length - refusals.length - unchanged
    await tx.run(sql`
      update bulk_change
      set status = 'running', changed_to = ${lastId}, changed = changed + ${changed},
        unchanged = unchanged + ${unchanged}, refused = refused + ${refusals.length}, refusals = (
          select coalesce(json_agg(r), '[]') from (
            select r from (
              select r from json_array_elements(refusals) as r union all
              select r from json_array_elements(${JSON.stringify(refusals)}::json) as r
            ) as r limit ${shownRefusalsMax}) as shown)
      where org_id = ${tx.orgId} and bulk_change_id = ${id}`)
    return false
  })

type NextRecord = { record_id: string; tags: string[] }

/** Locks the next active records that match now. Returns them with the last id of this step; null at the end. */
async function nextRecords(
  tx: OrgTx,
  org: Org,
  plainType: RecordType,
  { selector: stored, last_id: end, changed_to: after }: Pick<Running, 'selector' | 'last_id' | 'changed_to'>,
): Promise<{ rows: NextRecord[]; lastId: string } | null> {
  const { tree, q } = parseExactJson(stored) as { tree: FilterTree | null; q: string | null }
  const selector: RecordSelector = {
    ...(tree && { filter: { tree, places: new Map() } }),
    ...(q !== null && { q }),
  }
  const type = await withDefinedFilters(org, plainType, selector)
  const { with: before, from, id, filter } = await selectionOf(org, type, selector, 'all')
  const matching = (condition: Sql) =>
    tx.rows(sql<NextRecord>`
      ${before} select ${id} as record_id, r.tags from ${from}
      where ${filter.conditions} and ${condition} order by ${id} limit ${recordsPerStep}`)
  const found = await matching(sql`${id} > ${after ?? minUuid} and ${id} <= ${end}`)
  const lastId = found.at(-1)?.record_id
  if (lastId === undefined) return null
  const ids = found.map((row) => row.record_id)
  const { table, id: idField } = namesOf(type)
  await tx.rows(sql`
    select from ${table} r where r.org_id = ${tx.orgId} and r.${idField} = any(${ids}::uuid[])
    order by r.${idField} for no key update`)
  // A write that committed before the lock may have taken a record out of the filter, or changed its tags.
  return { rows: await matching(sql`${id} = any(${ids}::uuid[])`), lastId }
}

function itemOf({ record_id: recordId, tags }: NextRecord, change: Change): ItemWithId {
  const { archive, add_tags: added = [], remove_tags: removed = [], ...fields } = change
  if (archive) return { recordId, action: 'archive', fields: {} }
  // Replacing the list would give a merged record the tags of the records that it absorbed: replace the list only if a
  // tag is removed.
  if (removed.some((tag) => tags.includes(tag))) {
    const kept = [...new Set([...tags, ...added])].filter((tag) => !removed.includes(tag))
    return { recordId, action: 'change', fields: { ...fields, tags: kept } }
  }
  if (added.length === 0) return { recordId, action: 'change', fields }
  return { recordId, action: 'change', fields: { ...fields, tags: added }, additive: true }
}

const isUnchanged = (type: RecordType, result: Written | Failed | undefined): boolean =>
  result?.outcome === 'updated' && changedFields(type, result.before.state, result.after.state).length === 0

function refusalOf(recordId: string, { error }: Failed): BulkChange['refusals'][number] {
  return { record_id: recordId, code: error.code, reason: reasonOf(error) }
}

const reasonOf = (error: Failed['error']): string =>
  error instanceof ValidationError ? error.details.map(({ msg }) => msg).join('; ') : error.message

const unusable = (error: ValidationError): string =>
  `The filter cannot be used any more: ${reasonOf(error)}. The records that are left stay as they are. Start a change with another filter.`
