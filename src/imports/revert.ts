import { z } from 'zod'
import { companies } from '../companies/companies.ts'
import { recordEvents } from '../events/record.ts'
import { lockShared } from '../platform/db/advisory-lock.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { conflict } from '../platform/domain-error.ts'
import { definitionsLock } from '../records/defined-fields/definition.ts'
import { lockRecords } from '../records/lock.ts'
import { minUuid } from '../records/min-uuid.ts'
import { namesOf } from '../records/names.ts'
import type { RecordType } from '../records/record-type.ts'
import { setArchived } from '../records/write.ts'
import { recordTypes } from './progress.ts'
import { revertNextChanges } from './restore.ts'
import type { Import, ImportError } from './schema.ts'
import type { Entity } from './synonyms.ts'

// Write the limit as a literal. With a parameter, PostgreSQL would sort all records of the import.
const recordsPerWrite = rawSql('limit 500')

const refusalTexts: Record<Import['status'], string> = {
  uploading: 'is still being uploaded',
  queued: 'waits for its turn',
  running: 'still runs',
  succeeded: 'cannot be reverted now',
  failed: 'cannot be reverted now',
  canceled: 'cannot be reverted now',
  reverting: 'is being reverted already',
  reverted: 'was reverted before',
}

/**
 * Sets the status `reverting`.
 * @throws DomainError conflict while the import runs, while values of a field are converted, or if it is already reverted
 */
export async function requestRevert(tx: OrgTx, found: Import): Promise<void> {
  await requireNoConversion(tx, found.entity_type)
  const { import_id: importId } = found
  // An import whose command was killed still has the status `running`. It can be reverted too.
  const requested = await tx.run(sql`
    update import i set status = 'reverting', finished_at = null, error = null
    where i.org_id = ${tx.orgId} and i.import_id = ${importId} and (
      i.status in ('succeeded', 'failed', 'canceled') and not i.dry_run
      or i.status = 'running' and not i.dry_run and i.progressed_at < now() - interval '1 minute'
        and not exists (select from import_piece p where p.org_id = i.org_id and p.import_id = i.import_id))`)
  if (requested === 0 && found.dry_run)
    throw conflict('import_not_revertible', 'A dry run created no record that could be reverted')
  if (requested === 0) {
    throw conflict(
      'import_not_revertible',
      `This import ${refusalTexts[found.status]}: an import can be reverted once, after it has ended`,
    )
  }
  await recordEvents(tx, [{ type: 'import.reverting', objectId: importId }])
}

/** A revert would bring back values that the job has already passed. */
async function requireNoConversion(tx: OrgTx, entity: string): Promise<void> {
  await lockShared(tx, definitionsLock(tx.orgId))
  const running = await tx.first(sql<{ key: string }>`
    select d.key from field_conversion c join field_definition d on d.org_id = c.org_id and d.field_id = c.field_id
    where c.org_id = ${tx.orgId} and d.entity = ${entity} and c.state = 'running' limit 1`)
  if (running)
    throw conflict(
      'field_converting',
      `The values of custom.${running.key} are being converted. Revert the import when the conversion has ended.`,
    )
}

/** Returns the type of the records to archive; null if the import is not being reverted. */
export async function revertedType(tx: OrgTx, importId: string): Promise<RecordType | null> {
  const row = await tx.first(sql<{ entity: Entity }>`
    select entity from import
    where org_id = ${tx.orgId} and import_id = ${importId} and status = 'reverting'`)
  return row ? recordTypes[row.entity] : null
}

/** Where a revert continues: in a phase, after the record with the id `after`. */
export const revertPlace = z.object({ phase: z.int().min(0).max(2), after: z.guid() })
export type RevertPlace = z.output<typeof revertPlace>

export const revertStart: RevertPlace = { phase: 0, after: minUuid }

/**
 * Archives some of the records that an import created, or reverts some of its changes to other records. Values that
 * changed later are kept. If a step runs again after a crash, the changes that it has already reverted are not there
 * any more.
 * @returns where the next step continues; null: the revert has ended
 */
export async function revertNext(
  org: Org,
  type: RecordType,
  importId: string,
  { phase, after }: RevertPlace,
): Promise<RevertPlace | null> {
  // Archive first: `archiveSome` reads the stored changes, which `restoreNext` deletes.
  const step = [archiveSome, restoreNext, archiveMadeCompanies][phase]
  if (step === undefined) throw new Error(`A revert has no phase ${phase}`)
  const result = await org.transact(
    async (tx) => (await isReverting(tx, importId)) && { next: await step(tx, type, importId, after) },
  )
  if (!result) return null
  if (result.next !== null) return { phase, after: result.next }
  if (phase < 2) return { phase: phase + 1, after: minUuid }
  await org.transact((tx) => finishRevert(tx, type, importId))
  return null
}

/** Locks the import. Returns false if its revert has failed, or was finished by another process. */
async function isReverting(tx: OrgTx, importId: string): Promise<boolean> {
  const found = await tx.run(sql`
    select from import where org_id = ${tx.orgId} and import_id = ${importId} and status = 'reverting'
    for no key update`)
  return found > 0
}

// A step handles the next records after an id. It returns the id for the next step, or null at the end. Without this
// id, each step would read all earlier records again.

/** Archives some of the records that the import created. */
async function archiveSome(
  tx: OrgTx,
  type: RecordType,
  importId: string,
  after: string,
): Promise<string | null> {
  const { orgId } = tx
  const id = rawSql(type.idField)
  // Another caller changed the record if its version is higher than the number of the import's changes.
  const rows = await tx.rows(sql<{ record_id: string }>`
    select ${id} as record_id from ${rawSql(type.entity)} r
    where org_id = ${orgId} and import_id = ${importId} and ${id} > ${after} and status = 'active' and (
      version = 1 or facts is null and version = 1 + (
        select count(*) from import_change c
        where c.org_id = r.org_id and c.import_id = r.import_id and c.record_id = r.${id}))
    order by ${id} ${recordsPerWrite} for update`)
  const ids = rows.map((row) => row.record_id)
  await setArchived(tx, type, await lockRecords(tx, type, ids), true)
  await countReverted(tx, importId, rows.length, 0)
  return ids.at(-1) ?? null
}

/** Restores changed records, and skips a record that is being merged. So the steps repeat until no record is left. */
async function restoreNext(
  tx: OrgTx,
  type: RecordType,
  importId: string,
  after: string,
): Promise<string | null> {
  const result = await revertNextChanges(tx, type, importId, after)
  if (result === null) return after === minUuid ? null : minUuid
  await countReverted(tx, importId, result.restored, result.kept)
  return result.lastId
}

/** Archives companies that an import of contacts created, if no active record refers to them. */
async function archiveMadeCompanies(
  tx: OrgTx,
  type: RecordType,
  importId: string,
  after: string,
): Promise<string | null> {
  if (type.entity !== 'contact') return null
  const rows = await tx.rows(sql<{ company_id: string }>`
    select company_id from company c
    where org_id = ${tx.orgId} and import_id = ${importId} and company_id > ${after} and status = 'active' and version = 1
      and not exists (
        select from contact r where r.org_id = c.org_id and r.company_id = c.company_id and r.status = 'active')
      and not exists (
        select from deal r where r.org_id = c.org_id and r.company_id = c.company_id and r.status = 'active')
    order by company_id ${recordsPerWrite} for update`)
  const ids = rows.map((row) => row.company_id)
  await setArchived(tx, companies, await lockRecords(tx, companies, ids), true)
  return ids.at(-1) ?? null
}

async function countReverted(tx: OrgTx, importId: string, reverted: number, kept: number): Promise<void> {
  await tx.run(sql`
    update import set reverted_count = reverted_count + ${reverted}, kept_count = kept_count + ${kept}
    where org_id = ${tx.orgId} and import_id = ${importId}`)
}

async function finishRevert(tx: OrgTx, type: RecordType, importId: string): Promise<void> {
  const { orgId } = tx
  const { table, id } = namesOf(type)
  // The survivor of a merged record still shows its values.
  const finished = await tx.run(sql`
    update import set status = 'reverted', finished_at = now(), kept_count = kept_count + (
      select count(*) from ${table} r
      where r.org_id = ${orgId} and r.import_id = ${importId} and (r.status = 'active' or exists (
        select from ${table} s where s.org_id = r.org_id and s.${id} = r.merged_into_id and s.status = 'active')))
    where org_id = ${orgId} and import_id = ${importId} and status = 'reverting'`)
  if (finished > 0) await recordEvents(tx, [{ type: 'import.reverted', objectId: importId }])
}

const revertFailed: ImportError = {
  code: 'revert_failed',
  message: 'The revert failed repeatedly. Request the revert again.',
}

/** Sets the status `failed`, so that the revert can be requested again. */
export async function failRevert(tx: OrgTx, importId: string): Promise<void> {
  await tx.run(sql`
    update import set status = 'failed', finished_at = now(), error = ${JSON.stringify(revertFailed)}
    where org_id = ${tx.orgId} and import_id = ${importId} and status = 'reverting'`)
}
