import { v7 } from 'uuid'
import { recordEventsBy } from '../events/record.ts'
import type { Actor } from '../platform/actor.ts'
import { JsonColumns, type TextRow } from '../platform/db/json-columns.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { Filter, readPage } from '../platform/db/page.ts'
import { asText, sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { type ListQuery, paginationOf, startOf } from '../platform/http/list.ts'
import type { Json } from '../platform/json.ts'
import type { RecordType } from '../records/record-type.ts'
import type { Refused } from './prepare.ts'
import type { Import } from './schema.ts'
import type { Entity } from './synonyms.ts'

const count = (column: string) => ({ sql: `i.${column}`, kind: 'integer' }) as const
const wire = new JsonColumns('i', {
  import_id: 'uuid',
  entity_type: { sql: 'i.entity', kind: 'text' },
  status: 'text',
  mode: 'text',
  file_name: 'text',
  bytes_total: 'integer',
  columns: 'jsonb',
  counts: {
    object: {
      rows_read: count('rows_read'),
      created: count('created_count'),
      refused: count('refused_count'),
      reverted: count('reverted_count'),
      kept: count('kept_count'),
    },
  },
  error: 'json',
  created_at: 'seconds',
  started_at: 'seconds',
  finished_at: 'seconds',
})

export type NewImport = {
  type: RecordType
  status: 'uploading' | 'running'
  fileName: string | undefined
  /** As far as it is known by now. */
  bytesTotal?: number
  mapping: Record<string, string> | undefined
}

/** Notes that an import begins; its id. */
export async function createImport(tx: OrgTx, actor: Actor, input: NewImport): Promise<string> {
  const importId = v7()
  await tx.run({
    text: `
      insert into import (org_id, import_id, entity, status, mode, api_key_id, file_name, mapping, bytes_total, created_at, started_at, progressed_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), case when $4 = 'running' then now() end, now())`,
    values: [
      actor.orgId,
      importId,
      input.type.entity,
      input.status,
      actor.mode,
      actor.apiKeyId,
      input.fileName ?? null,
      input.mapping ? JSON.stringify(input.mapping) : null,
      input.bytesTotal ?? 0,
    ],
  })
  // An upload that breaks off has never been an import.
  if (input.status === 'running')
    await recordEventsBy(tx, actor, [{ type: 'import.created', objectId: importId }])
  return importId
}

/** Makes an upload that is complete an import that waits for its turn. */
export async function queueImport(
  tx: OrgTx,
  actor: Actor,
  importId: string,
  bytesTotal: number,
): Promise<void> {
  await tx.run({
    text: `
      update import set status = 'queued', bytes_total = $2
      where org_id = app.org_id() and import_id = $1 and status = 'uploading'`,
    values: [importId, bytesTotal],
  })
  await recordEventsBy(tx, actor, [{ type: 'import.created', objectId: importId }])
}

/** Forgets an upload, unless it became an import. */
export async function dropUpload(tx: OrgTx, importId: string): Promise<void> {
  await tx.run({
    text: `delete from import where org_id = app.org_id() and import_id = $1 and status = 'uploading'`,
    values: [importId],
  })
}

/** Forgets an upload, of whatever org, that broke off with its process a day ago; how many there were. */
export function dropBrokenUpload(tx: Tx): Promise<number> {
  return tx.run({
    text: `
      delete from import i using (
        select org_id, import_id from import
        where status = 'uploading' and created_at < now() - interval '1 day' limit 1 for update skip locked
      ) as broken
      where i.org_id = broken.org_id and i.import_id = broken.import_id`,
    values: [],
  })
}

/** @throws DomainError not_found */
export async function findImport(tx: OrgTx, importId: string): Promise<Import> {
  const found = sql<TextRow>`
    select ${wire.columns} from import i where i.org_id = ${tx.orgId} and i.import_id = ${importId}`
  const [row] = await tx.rows(asText(found))
  if (!row) throw notFound('No import of this organization has this id')
  return JSON.parse(wire.object(row, 0))
}

/** The org's imports of these kinds, newest first. */
export function listImports(
  org: Org,
  cursors: Cursors,
  entities: readonly Entity[],
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  // An upload is none yet, and never becomes one if it breaks off.
  const filter = new Filter(org.orgId, 'i')
    .and(sql`i.status <> 'uploading'`)
    .where(entities, (list) => sql`i.entity = any(${list}::text[])`)
  const total = sql`select count(*) from import i where ${filter.conditions}`
  return readPage(
    org,
    cursors,
    { list: `imports ${entities}`, from: sql`import i`, id: sql`i.import_id`, wire, filter, total },
    query,
  )
}

/**
 * The rows that were refused, in the order of the file.
 * @param admit is shown the import first, and throws to refuse
 * @throws DomainError not_found
 */
export async function listRefusals(
  org: Org,
  cursors: Cursors,
  importId: string,
  query: ListQuery,
  admit: (found: Import) => void,
): Promise<{ rows: { line: number; outcome: 'refused'; reason: string }[]; pagination: Pagination }> {
  const list = `refusals ${importId}`
  const start = startOf(cursors, org.orgId, list, query)
  const { counts, rows } = await org.read(async (tx) => {
    const found = await findImport(tx, importId)
    admit(found)
    const rows = await refusalsAfter(tx, importId, Number(start.after ?? 0), start.limit + 1, start.skip)
    return { counts: found.counts, rows }
  })
  const shown = rows.slice(0, start.limit)
  return {
    rows: shown.map((row) => ({ ...row, outcome: 'refused' })),
    pagination: paginationOf(cursors, org.orgId, list, start, {
      last: shown.at(-1)?.line.toString() ?? null,
      hasNext: rows.length > start.limit,
      total: counts.refused,
    }),
  }
}

/** A reason for which rows were refused: how many, and the first lines of them. */
export type RefusalReason = { reason: string; rows: number; lines: number[] }

/** The commonest reasons, up to `limit`, for which rows of an import were refused. */
export function refusalReasons(tx: OrgTx, importId: string, limit: number): Promise<RefusalReason[]> {
  return tx.rows<RefusalReason>({
    // pg reads arrays of float8 as numbers, those of bigint as text.
    text: `
      select reason, count(*) as rows, (array_agg(line::float8 order by line))[:3] as lines from import_refusal
      where org_id = app.org_id() and import_id = $1
      group by reason order by count(*) desc, min(line) limit $2`,
    values: [importId, limit],
  })
}

/** Up to `limit` refused rows behind a line, in the order of the file. */
function refusalsAfter(
  tx: OrgTx,
  importId: string,
  line: number,
  limit: number,
  skip: number,
): Promise<Refused[]> {
  return tx.rows<Refused>({
    text: `
      select line, reason from import_refusal
      where org_id = app.org_id() and import_id = $1 and line > $2 order by line limit $3 offset $4`,
    values: [importId, line, limit, skip],
  })
}
