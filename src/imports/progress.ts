import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { recordEvents } from '../events/record.ts'
import type { Actor } from '../platform/actor.ts'
import type { RecordAccess } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Columns } from '../platform/db/tables.ts'
import { enqueueImportCheck } from '../records/match-keys.ts'
import type { RecordType } from '../records/record-type.ts'
import type { CellForms } from './cell-forms.ts'
import type { Column } from './columns.ts'
import { fieldName } from './field-name.ts'
import { deletePieces } from './pieces.ts'
import type { ImportError } from './schema.ts'
import type { Entity } from './synonyms.ts'

/**
 * Updated rows changed a record. Unchanged rows matched a record that already had all their values. Unreadable rows were
 * stored, and also count as created, updated or unchanged: their e-mail address or phone number is kept as text.
 */
export type RowCounts = {
  created: number
  updated: number
  unchanged: number
  refused: number
  unreadable: number
}

export type ImportProgress = RowCounts & { rowsRead: number }

export type ImportTask = CellForms & {
  type: RecordType
  /** The API key or member that sent the file. Events name it. */
  actor: Actor
  mapping: Record<string, string> | undefined
  encoding: string | undefined
  dryRun: boolean
  matchOn: string | undefined
  defaultCountry: string | undefined
  /** The number of the first row of each stored lot. */
  stored: ReadonlySet<number>
}

export const recordTypes: Record<Entity, RecordType> = {
  contact: contacts,
  company: companies,
}

type Started = Columns<
  'import',
  'api_key_id' | 'member_id' | 'encoding' | 'dry_run' | 'match_on' | 'default_country'
> & {
  entity: Entity
  mode: Actor['mode']
  /** The limit of the member; null: all records. */
  record_access: RecordAccess | null
  /** Whether the sender had a limit, and is no longer a member. */
  is_orphaned: boolean
  mapping: Record<string, string> | null
  decimal_sign: CellForms['decimalSign'] | null
  date_order: CellForms['dateOrder'] | null
}

const senderRemoved: ImportError = {
  code: 'sender_removed',
  message:
    'The member who sent the file saw only some records, and is no longer a member. The records that the import created still exist; the import can be reverted.',
}

/**
 * Sets the status `running`, and returns the remaining work; null if the import has ended. If a limited sender has
 * left, the current limit is unknown, so the import ends.
 */
export async function startImport(tx: OrgTx, importId: string): Promise<ImportTask | null> {
  const row = await tx.first(sql<Started>`
    update import i set status = 'running', started_at = coalesce(started_at, now()), progressed_at = now()
    where org_id = ${tx.orgId} and import_id = ${importId} and status in ('queued', 'running')
    returning entity, mode, api_key_id, member_id, mapping, encoding, dry_run, match_on, default_country, decimal_sign, date_order, (
      select h.record_access from membership h
      where h.org_id = i.org_id and h.member_id = i.member_id and h.record_access <> 'all') as record_access,
      i.record_access is not null and not exists (
        select from membership h where h.org_id = i.org_id and h.member_id = i.member_id) as is_orphaned`)
  if (!row) return null
  if (row.is_orphaned) {
    await failImport(tx, importId, senderRemoved)
    return null
  }
  const lots = await tx.rows(sql<Columns<'import_lot', 'first_row'>>`
    select first_row from import_lot where org_id = ${tx.orgId} and import_id = ${importId}`)
  return {
    type: recordTypes[row.entity],
    actor: {
      ...{ orgId: tx.orgId, mode: row.mode, apiKeyId: row.api_key_id, memberId: row.member_id },
      ...(row.record_access ? { recordAccess: row.record_access } : {}),
    },
    mapping: row.mapping ?? undefined,
    encoding: row.encoding ?? undefined,
    dryRun: row.dry_run,
    matchOn: row.match_on ?? undefined,
    defaultCountry: row.default_country ?? undefined,
    decimalSign: row.decimal_sign ?? undefined,
    dateOrder: row.date_order ?? undefined,
    stored: new Set(lots.map(({ first_row }) => first_row)),
  }
}

/** Stores the encoding of the file, and the field of each column. */
export async function saveColumns(
  tx: OrgTx,
  importId: string,
  { columns, encoding }: { columns: readonly Column[]; encoding: string | null },
): Promise<void> {
  const named = columns.map(({ header, field }) => ({ header, field: fieldName(field) }))
  await tx.run(sql`
    update import set columns = ${JSON.stringify(named)}, encoding = ${encoding}
    where org_id = ${tx.orgId} and import_id = ${importId}`)
}

/** Records that a lot is stored. Returns false if the lot was already stored. */
export async function recordStoredLot(tx: OrgTx, importId: string, firstRow: number): Promise<boolean> {
  const claimed = await tx.run(sql`
    insert into import_lot (org_id, import_id, first_row) values (${tx.orgId}, ${importId}, ${firstRow})
    on conflict do nothing`)
  return claimed === 1
}

/** Counts the rows of a lot. Returns false if the import has ended: the caller must then roll back the lot. */
export async function countLot(
  tx: OrgTx,
  importId: string,
  { created, updated, unchanged, refused, unreadable }: RowCounts,
): Promise<boolean> {
  const counted = await tx.run(sql`
    update import
    set rows_read = rows_read + ${created + updated + unchanged + refused},
      created_count = created_count + ${created}, updated_count = updated_count + ${updated},
      unchanged_count = unchanged_count + ${unchanged}, refused_count = refused_count + ${refused},
      unreadable_count = unreadable_count + ${unreadable}, progressed_at = now()
    where org_id = ${tx.orgId} and import_id = ${importId} and status = 'running'`)
  return counted === 1
}

/**
 * Ends an import after its whole file was read, as `failed` if no row was stored. Does nothing if it has already
 * ended.
 */
export async function finishImport(tx: OrgTx, importId: string): Promise<void> {
  const counts = await tx.first(sql<{ rows: number; done: number }>`
    select rows_read as rows, created_count + updated_count + unchanged_count as done from import
    where org_id = ${tx.orgId} and import_id = ${importId} and status in ('queued', 'running') for update`)
  if (counts === undefined) return
  if (counts.done === 0) await failImport(tx, importId, nothingImported(counts.rows))
  else await endImport(tx, importId, sql`status = 'succeeded', error = null`, 'import.finished')
}

function nothingImported(rows: number): ImportError {
  const message =
    rows === 0
      ? 'The file has no rows below its header.'
      : 'Every row was refused. GET /imports/{import_id}/rows lists the reasons.'
  return { code: 'nothing_imported', message }
}

/** Ends an import that cannot continue, and keeps its records. Does nothing if it has already ended. */
export const failImport = (tx: OrgTx, importId: string, error: ImportError): Promise<void> =>
  endImport(tx, importId, sql`status = 'failed', error = ${JSON.stringify(error)}`, 'import.failed')

/** Ends an import because somebody canceled it, and keeps its records. Does nothing if it has already ended. */
export const stopImport = (tx: OrgTx, importId: string): Promise<void> =>
  endImport(tx, importId, sql`status = 'canceled'`, 'import.canceled')

/** Ends an import, deletes its uploaded file, and enqueues a check of its records for duplicates. */
async function endImport(
  tx: OrgTx,
  importId: string,
  changes: Sql,
  event: 'import.finished' | 'import.failed' | 'import.canceled',
): Promise<void> {
  const ended = await tx.first(sql<{ entity: Entity; dry_run: boolean }>`
    update import set ${changes}, finished_at = now(), refused_by_code = coalesce((
      select jsonb_object_agg(r.code, r.rows) from (
        select code, count(*) as rows from import_refusal
        where org_id = ${tx.orgId} and import_id = ${importId} group by code
      ) as r), '{}')
    where org_id = ${tx.orgId} and import_id = ${importId} and status in ('queued', 'running')
    returning entity, dry_run`)
  if (!ended) return
  if (!ended.dry_run) {
    await enqueueImportCheck(tx, recordTypes[ended.entity], importId)
    if (ended.entity === 'contact' && (await hasCreatedCompanies(tx, importId)))
      await enqueueImportCheck(tx, companies, importId)
  }
  // Keep the notes of stored lots: another process may still try to store one of them.
  await deletePieces(tx, importId)
  await recordEvents(tx, [{ type: event, objectId: importId }])
}

/** Returns whether an import of contacts created companies. */
export async function hasCreatedCompanies(tx: OrgTx, importId: string): Promise<boolean> {
  const made = await tx.run(sql`
    select from company where org_id = ${tx.orgId} and import_id = ${importId} limit 1`)
  return made > 0
}

/**
 * Finds imports of all orgs that a command began, and that are unfinished because the command died a day ago. No job
 * continues them.
 */
export async function findInterrupted(scope: SystemScope): Promise<{ actor: Actor; importId: string }[]> {
  const rows = await scope.readRows(sql<Actor & { importId: string }>`
    select org_id as "orgId", mode, api_key_id as "apiKeyId", member_id as "memberId", import_id as "importId" from import i
    where status = 'running' and progressed_at < now() - interval '1 day'
      and not exists (select from import_piece p where p.org_id = i.org_id and p.import_id = i.import_id)`)
  return rows.map(({ importId, ...actor }) => ({ actor, importId }))
}
