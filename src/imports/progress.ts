import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { recordEventsBy } from '../events/record.ts'
import type { Actor } from '../platform/actor.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { enqueueImportCheck } from '../records/match-keys.ts'
import type { RecordType } from '../records/record-type.ts'
import type { Column, ColumnField } from './columns.ts'
import type { Refused } from './prepare.ts'
import type { Import, ImportError } from './schema.ts'

/** Rows that were read, records that were created, rows that were refused. */
export type Progress = { rowsRead: number; created: number; refused: number }

/** What there is to do for an import, in the name of whoever asked for it. */
export type Task = {
  type: RecordType
  actor: Actor
  mapping: Record<string, string> | undefined
  /** First rows of the lots that are stored. */
  stored: ReadonlySet<number>
}

export const recordTypes: Record<Import['entity_type'], RecordType> = {
  contact: contacts,
  company: companies,
}

/** What there is to do for an import, null if it has ended; a queued one is running from now on. */
export async function startWork(tx: OrgTx, orgId: string, importId: string): Promise<Task | null> {
  const row = await tx.first<{
    entity: Import['entity_type']
    mode: 'live' | 'test'
    api_key_id: string | null
    mapping: Record<string, string> | null
  }>({
    text: `
      update import set status = 'running', started_at = coalesce(started_at, now()), progressed_at = now()
      where org_id = app.org_id() and import_id = $1 and status in ('queued', 'running')
      returning entity, mode, api_key_id, mapping`,
    values: [importId],
  })
  const lots = await tx.rows<{ first_row: number }>({
    text: 'select first_row from import_lot where org_id = app.org_id() and import_id = $1',
    values: [importId],
  })
  return row
    ? {
        type: recordTypes[row.entity],
        actor: { orgId, mode: row.mode, apiKeyId: row.api_key_id },
        mapping: row.mapping ?? undefined,
        stored: new Set(lots.map(({ first_row }) => first_row)),
      }
    : null
}

const fieldName = (field: ColumnField): string | null => {
  if (field === null || typeof field === 'string') return field
  return 'custom' in field ? `custom:${field.custom}` : `external_id:${field.external_id}`
}

/** Writes down what each column was taken for. */
export async function saveColumns(tx: OrgTx, importId: string, columns: readonly Column[]): Promise<void> {
  const named = columns.map(({ header, field }) => ({ header, field: fieldName(field) }))
  await tx.run({
    text: 'update import set columns = $2 where org_id = app.org_id() and import_id = $1',
    values: [importId, JSON.stringify(named)],
  })
}

/** Notes that a lot is stored; false if it is already. */
export async function claimLot(tx: OrgTx, importId: string, firstRow: number): Promise<boolean> {
  const claimed = await tx.run({
    text: `
      insert into import_lot (org_id, import_id, first_row) values (app.org_id(), $1, $2)
      on conflict do nothing`,
    values: [importId, firstRow],
  })
  return claimed === 1
}

/** Counts the rows of a lot; false if the import does not run any more, so that the lot must not stand. */
export async function countLot(
  tx: OrgTx,
  importId: string,
  created: number,
  refused: number,
): Promise<boolean> {
  const counted = await tx.run({
    text: `
      update import
      set rows_read = rows_read + $2 + $3, created_count = created_count + $2, refused_count = refused_count + $3,
        progressed_at = now()
      where org_id = app.org_id() and import_id = $1 and status = 'running'`,
    values: [importId, created, refused],
  })
  return counted === 1
}

/** Stores why rows were refused. */
export async function saveRefusals(tx: OrgTx, importId: string, refused: readonly Refused[]): Promise<void> {
  await tx.run({
    text: `
      insert into import_refusal (org_id, import_id, line, reason)
      select app.org_id(), $1, r.line, r.reason from unnest($2::bigint[], $3::text[]) as r (line, reason)`,
    values: [importId, refused.map(({ line }) => line), refused.map(({ reason }) => reason.slice(0, 1000))],
  })
}

/** Ends an import, well or with `error`; the uploaded file is dropped. No effect on one that has ended. */
export async function endImport(
  tx: OrgTx,
  actor: Actor,
  importId: string,
  error: ImportError | null,
): Promise<void> {
  const ended = await tx.first<{ entity: Import['entity_type'] }>({
    text: `
      update import set status = $2, error = $3, finished_at = now()
      where org_id = app.org_id() and import_id = $1 and status in ('queued', 'running')
      returning entity`,
    values: [importId, error === null ? 'succeeded' : 'failed', error && JSON.stringify(error)],
  })
  if (!ended) return
  await enqueueImportCheck(tx, recordTypes[ended.entity], importId)
  // Its lots stay: another process may be at one of them again, and has to find it stored.
  await tx.run({
    text: 'delete from import_piece where org_id = app.org_id() and import_id = $1',
    values: [importId],
  })
  await recordEventsBy(tx, actor, [
    { type: error === null ? 'import.finished' : 'import.failed', objectId: importId },
  ])
}

/** Imports, of all orgs, that their command has left behind for a day: no job goes on with them. */
export async function leftBehind(scope: SystemScope): Promise<{ actor: Actor; importId: string }[]> {
  const rows = await scope.readRows<Actor & { importId: string }>({
    text: `
      select org_id as "orgId", mode, api_key_id as "apiKeyId", import_id as "importId" from import i
      where status = 'running' and progressed_at < now() - interval '1 day'
        and not exists (select from import_piece p where p.org_id = i.org_id and p.import_id = i.import_id)`,
    values: [],
  })
  return rows.map(({ importId, ...actor }) => ({ actor, importId }))
}
