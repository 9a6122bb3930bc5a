import { v7 } from 'uuid'
import { type Actor, recordEvents } from '../events/record.ts'
import type { Org } from '../platform/db/org.ts'
import { Filter, readPage } from '../platform/db/page.ts'
import { build } from '../platform/db/statement.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Json, Pagination } from '../platform/http/endpoint.ts'
import { type ListQuery, paginationOf, startOf } from '../platform/http/list.ts'
import { notFound } from '../platform/http/problem.ts'
import type { RecordType } from '../records/record-type.ts'
import type { Column, ColumnField } from './columns.ts'
import type { Progress } from './load.ts'
import type { Refused } from './prepare.ts'
import type { Import } from './schema.ts'

const epoch = (column: string) => `floor(date_part('epoch', i.${column}))::bigint as ${column}`
const wire = `i.import_id, i.entity, i.status, i.mode, i.file_name, i.bytes_total, i.columns,
  json_build_object('rows_read', i.rows_read, 'created', i.created_count, 'refused', i.refused_count,
    'reverted', i.reverted_count, 'kept', i.kept_count) as counts,
  i.error, ${epoch('created_at')}, ${epoch('started_at')}, ${epoch('finished_at')}`

export type NewImport = {
  type: RecordType
  status: 'uploading' | 'running'
  fileName: string | undefined
  mapping: Record<string, string> | undefined
}

/** Notes that an import begins; its id. */
export async function createImport(tx: Tx, actor: Actor, input: NewImport): Promise<string> {
  const importId = v7()
  // Uploads that broke off with their process.
  await tx.run({
    text: `delete from import where org_id = $1 and status = 'uploading' and created_at < now() - interval '1 day'`,
    values: [actor.orgId],
  })
  await tx.run({
    text: `
      insert into import (org_id, import_id, entity, status, mode, api_key_id, file_name, mapping, created_at, started_at, progressed_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, now(), case when $4 = 'running' then now() end, now())`,
    values: [
      actor.orgId,
      importId,
      input.type.entity,
      input.status,
      actor.mode,
      actor.apiKeyId,
      input.fileName ?? null,
      input.mapping ? JSON.stringify(input.mapping) : null,
    ],
  })
  await recordEvents(tx, actor, [{ type: 'import.created', objectId: importId }])
  return importId
}

/** Forgets an import that never came to be. */
export async function dropImport(tx: Tx, importId: string): Promise<void> {
  await tx.run(build.deleteFrom('import').where('import_id', '=', importId))
}

/** @throws Problem 404 */
export async function findImport(tx: Tx, importId: string): Promise<Import> {
  const [row] = await tx.rows<Import>({
    text: `select ${wire} from import i where i.org_id = app.org_id() and i.import_id = $1`,
    values: [importId],
  })
  if (!row) throw notFound('No import of this organization has this id')
  return row
}

/** The org's imports, newest first. */
export function listImports(
  org: Org,
  cursors: Cursors,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 'i')
  const total = `select count(*) from import i where ${filter.sql}`
  return readPage(
    org,
    cursors,
    { list: 'imports', from: 'import i', id: 'i.import_id', columns: wire, filter, total },
    query,
  )
}

/** The rows that were refused, in the order of the file. @throws Problem 404 */
export async function listRefusals(
  org: Org,
  cursors: Cursors,
  importId: string,
  query: ListQuery,
): Promise<{ rows: { line: number; outcome: 'refused'; reason: string }[]; pagination: Pagination }> {
  const list = `refusals ${importId}`
  const start = startOf(cursors, org.orgId, list, query)
  const { counts, rows } = await org.read(async (tx) => ({
    counts: (await findImport(tx, importId)).counts,
    rows: await refusalsAfter(tx, importId, Number(start.after ?? 0), start.limit + 1, start.skip),
  }))
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

/** Up to `limit` refused rows behind a line, in the order of the file. */
export function refusalsAfter(
  tx: Tx,
  importId: string,
  line: number,
  limit: number,
  skip = 0,
): Promise<Refused[]> {
  return tx.rows<Refused>({
    text: `
      select line, reason from import_refusal
      where org_id = app.org_id() and import_id = $1 and line > $2 order by line limit $3 offset $4`,
    values: [importId, line, limit, skip],
  })
}

const fieldName = (field: ColumnField): string | null => {
  if (field === null || typeof field === 'string') return field
  return 'custom' in field ? `custom:${field.custom}` : `external_id:${field.external_id}`
}

/** Writes down what each column was taken for. */
export async function saveColumns(tx: Tx, importId: string, columns: readonly Column[]): Promise<void> {
  const named = columns.map(({ header, field }) => ({ header, field: fieldName(field) }))
  await tx.run({
    text: 'update import set columns = $2 where org_id = app.org_id() and import_id = $1',
    values: [importId, JSON.stringify(named)],
  })
}

/** Moves the progress on; false if it is not where it was, so that whatever this transaction did must not stand. */
export async function advance(tx: Tx, importId: string, fromRow: number, to: Progress): Promise<boolean> {
  const moved = await tx.run({
    text: `
      -- Locked first: a plain condition on rows_read would judge the row as it was before the lot before.
      with locked as materialized (
        select org_id, import_id, rows_read, status from import
        where org_id = app.org_id() and import_id = $1 for update
      )
      update import i set rows_read = $3, created_count = $4, refused_count = $5, progressed_at = now()
      from locked where i.org_id = locked.org_id and i.import_id = locked.import_id
        and locked.rows_read = $2 and locked.status = 'running'`,
    values: [importId, fromRow, to.rowsRead, to.created, to.refused],
  })
  return moved === 1
}

/** Stores why rows were refused. */
export async function saveRefusals(tx: Tx, importId: string, refused: readonly Refused[]): Promise<void> {
  await tx.run({
    text: `
      insert into import_refusal (org_id, import_id, line, reason)
      select app.org_id(), $1, r.line, r.reason from unnest($2::bigint[], $3::text[]) as r (line, reason)`,
    values: [importId, refused.map(({ line }) => line), refused.map(({ reason }) => reason.slice(0, 1000))],
  })
}

/** Ends an import, well or with `error`; the uploaded file is dropped. No effect on one that has ended. */
export async function endImport(tx: Tx, actor: Actor, importId: string, error: string | null): Promise<void> {
  const ended = await tx.run({
    text: `
      update import set status = $2, error = $3, finished_at = now()
      where org_id = app.org_id() and import_id = $1 and status in ('queued', 'running')`,
    values: [importId, error === null ? 'succeeded' : 'failed', error],
  })
  if (ended === 0) return
  await tx.run(build.deleteFrom('import_piece').where('import_id', '=', importId))
  await recordEvents(tx, actor, [
    { type: error === null ? 'import.finished' : 'import.failed', objectId: importId },
  ])
}
