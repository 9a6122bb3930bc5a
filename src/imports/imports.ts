import { keyName, memberName } from '../events/actor.ts'
import { recordEvents } from '../events/record.ts'
import { JsonColumns, type TextRow } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql, withTextRows } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import type { RecordType } from '../records/record-type.ts'
import type { CellForms } from './cell-forms.ts'
import type { Import, ImportsQuery } from './schema.ts'
import type { Entity } from './synonyms.ts'

const count = (column: string) => ({ sql: `i.${column}`, kind: 'integer' }) as const
const wire = new JsonColumns('i', {
  import_id: 'uuid',
  entity_type: { sql: 'i.entity', kind: 'text' },
  status: 'text',
  mode: 'text',
  dry_run: 'boolean',
  file_name: 'text',
  match_on: 'text',
  default_country: 'text',
  decimal_sign: 'text',
  date_order: 'text',
  bytes_total: 'integer',
  encoding: 'text',
  columns: 'jsonb',
  counts: {
    object: {
      rows_read: count('rows_read'),
      created: count('created_count'),
      updated: count('updated_count'),
      unchanged: count('unchanged_count'),
      refused: count('refused_count'),
      unreadable: count('unreadable_count'),
      reverted: count('reverted_count'),
      kept: count('kept_count'),
    },
  },
  refused_by_code: 'jsonb',
  error: 'json',
  created_by: {
    object: {
      kind: {
        sql: `case when i.api_key_id is not null then 'api_key' when i.member_id is not null then 'member' else 'operator' end`,
        kind: 'text',
      },
      id: { sql: 'coalesce(i.api_key_id, i.member_id)', kind: 'uuid' },
      name: { sql: `coalesce(${memberName('i.member_id')}, ${keyName('i', 'i.api_key_id')})`, kind: 'text' },
    },
  },
  created_at: 'seconds',
  started_at: 'seconds',
  finished_at: 'seconds',
})

export type NewImport = CellForms & {
  type: RecordType
  status: 'uploading' | 'running'
  fileName: string | undefined
  /** The size of the file in bytes; 0 if it is unknown. */
  bytesTotal?: number
  mapping: Record<string, string> | undefined
  /** If true, the whole file is read and checked, but no record is written. */
  dryRun?: boolean
  /** The key by which rows match existing records. undefined: each row creates a record. */
  matchOn?: string | undefined
  /** The country of phone numbers without a country code; undefined: the organization's default. */
  defaultCountry?: string | undefined
}

/** Stores a new import, or an upload that becomes an import when it is complete. Returns its id. */
export async function createImport(tx: OrgTx, input: NewImport): Promise<string> {
  const importId = newId()
  const { orgId, mode, apiKeyId, memberId, recordAccess = null } = tx.actor
  const { type, status, fileName = null, bytesTotal = 0, dryRun = false } = input
  const { matchOn = null, defaultCountry = null, decimalSign = null, dateOrder = null } = input
  const mapping = input.mapping ? JSON.stringify(input.mapping) : null
  const startedAt = status === 'running' ? sql`now()` : null
  await tx.run(sql`
    insert into import (org_id, import_id, entity, status, mode, api_key_id, member_id, record_access, file_name, mapping, match_on,
      default_country, decimal_sign, date_order, dry_run, bytes_total, created_at, started_at, progressed_at)
    values (${orgId}, ${importId}, ${type.entity}, ${status}, ${mode}, ${apiKeyId}, ${memberId}, ${recordAccess}, ${fileName}, ${mapping},
      ${matchOn}, ${defaultCountry}, ${decimalSign}, ${dateOrder}, ${dryRun}, ${bytesTotal}, now(), ${startedAt}, now())`)
  // The event of an upload is recorded later, when it is complete.
  if (status === 'running') await recordEvents(tx, [{ type: 'import.created', objectId: importId }])
  return importId
}

/** Turns a complete upload into an import that waits for its job. */
export async function queueImport(
  tx: OrgTx,
  importId: string,
  { bytesTotal, encoding }: { bytesTotal: number; encoding: string | null },
): Promise<void> {
  await tx.run(sql`
    update import set status = 'queued', bytes_total = ${bytesTotal}, encoding = ${encoding}
    where org_id = ${tx.orgId} and import_id = ${importId} and status = 'uploading'`)
  await recordEvents(tx, [{ type: 'import.created', objectId: importId }])
}

/** Deletes an upload that did not become an import. Does nothing to an import. */
export async function deleteUpload(tx: OrgTx, importId: string): Promise<void> {
  await tx.run(sql`
    delete from import where org_id = ${tx.orgId} and import_id = ${importId} and status = 'uploading'`)
}

/**
 * Deletes one upload, of any org, whose process died a day ago. Returns 1, or 0 if none is left.
 */
export function deleteStaleUpload(tx: Tx): Promise<number> {
  return tx.run(sql`
    delete from import i using (
      select org_id, import_id from import
      where status = 'uploading' and created_at < now() - interval '1 day' limit 1 for update skip locked
    ) as stale
    where i.org_id = stale.org_id and i.import_id = stale.import_id`)
}

/** An import as answers show it. @throws DomainError not_found */
export async function findImport(tx: OrgTx, importId: string): Promise<Import> {
  const found = sql<TextRow>`
    select ${wire.columns} from import i where i.org_id = ${tx.orgId} and i.import_id = ${importId}`
  const row = await tx.first(withTextRows(found))
  if (!row) throw notFound('object_not_found', 'No import of this organization has this id')
  return JSON.parse(wire.object(row, 0))
}

/** Returns the org's imports of these record types, newest first. */
export function listImports(
  org: Org,
  cursors: Cursors,
  entities: readonly Entity[],
  { dry_run: isDryRun, status, ...query }: ImportsQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  // An incomplete upload is not an import yet, so it is not listed.
  const filter = new Filter(org.orgId, 'i')
    .and(sql`i.status <> 'uploading'`)
    .where(entities, (list) => sql`i.entity = any(${list}::text[])`)
    .where(isDryRun, (value) => sql`i.dry_run = ${value}`)
    .where(status, (value) => sql`i.status = ${value}`)
  const list = `imports ${entities} ${isDryRun ?? ''} ${status ?? ''}`.trim()
  return readPage(org, cursors, { list, from: sql`import i`, id: sql`i.import_id`, wire, filter }, query)
}
