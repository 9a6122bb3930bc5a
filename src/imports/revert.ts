import { recordEventsBy } from '../events/record.ts'
import type { Actor } from '../platform/actor.ts'
import type { Org } from '../platform/db/org.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { conflict } from '../platform/domain-error.ts'
import { lockRecords } from '../records/lock.ts'
import type { RecordType } from '../records/record-type.ts'
import { setArchived } from '../records/write.ts'
import { recordTypes } from './progress.ts'
import type { Import, ImportError } from './schema.ts'

const recordsPerWrite = 1_000

const whyNot: Record<Import['status'], string> = {
  uploading: 'is still being uploaded',
  queued: 'waits for its turn',
  running: 'still runs',
  succeeded: 'cannot be reverted now',
  failed: 'cannot be reverted now',
  reverting: 'is being reverted already',
  reverted: 'was reverted before',
}

/** Marks an import as being reverted. @throws DomainError conflict while it runs, or if it was reverted before */
export async function beginRevert(tx: OrgTx, actor: Actor, found: Import): Promise<void> {
  const begun = await tx.run({
    // A command that was killed leaves its import running, without a job that could go on.
    text: `
      update import i set status = 'reverting', finished_at = null, error = null
      where i.org_id = app.org_id() and i.import_id = $1 and (
        i.status in ('succeeded', 'failed')
        or i.status = 'running' and i.progressed_at < now() - interval '1 minute'
          and not exists (select from import_piece p where p.org_id = i.org_id and p.import_id = i.import_id))`,
    values: [found.import_id],
  })
  if (begun === 0) {
    throw conflict(
      `This import ${whyNot[found.status]}: an import can be reverted once, after it succeeded or failed`,
    )
  }
  await recordEventsBy(tx, actor, [{ type: 'import.reverting', objectId: found.import_id }])
}

/** The type of the records to take back; null if the import is not being reverted. */
export async function startRevert(tx: OrgTx, importId: string): Promise<RecordType | null> {
  const row = await tx.first<{ entity: Import['entity_type'] }>({
    text: `select entity from import where org_id = app.org_id() and import_id = $1 and status = 'reverting'`,
    values: [importId],
  })
  return row ? recordTypes[row.entity] : null
}

/**
 * Archives the records that an import created and nobody has changed since; killed at any instant, it goes on where it
 * was. Records that were changed stay, and are counted as kept.
 */
export async function revertRecords(
  org: Org,
  actor: Actor,
  type: RecordType,
  importId: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const archived = await org.transact((tx) => archiveSome(tx, actor, type, importId))
    if (archived === null) return
    if (archived === 0) break
  }
  await org.transact((tx) => endRevert(tx, actor, type, importId))
}

const untouched = `import_id = $1 and status = 'active' and version = 1`

/** How many records were archived; null: the revert was given up, or another process has ended it. */
async function archiveSome(
  tx: OrgTx,
  actor: Actor,
  type: RecordType,
  importId: string,
): Promise<number | null> {
  const goesOn = await tx.run({
    text: `
      select from import where org_id = app.org_id() and import_id = $1 and status = 'reverting' for no key update`,
    values: [importId],
  })
  if (goesOn === 0) return null
  const id = type.idField
  const rows = await tx.rows<{ record_id: string }>({
    text: `
      select ${id} as record_id from ${type.entity}
      where org_id = app.org_id() and ${untouched} order by ${id} limit ${recordsPerWrite} for update`,
    values: [importId],
  })
  const ids = rows.map((row) => row.record_id)
  await setArchived(new OrgTx(tx, actor), type, await lockRecords(tx, type, ids), true)
  await tx.run({
    text: 'update import set reverted_count = reverted_count + $2 where org_id = app.org_id() and import_id = $1',
    values: [importId, rows.length],
  })
  return rows.length
}

async function endRevert(tx: OrgTx, actor: Actor, type: RecordType, importId: string): Promise<void> {
  const ended = await tx.run({
    text: `
      update import set status = 'reverted', finished_at = now(), kept_count = (
        select count(*) from ${type.entity} where org_id = app.org_id() and import_id = $1 and status = 'active')
      where org_id = app.org_id() and import_id = $1 and status = 'reverting'`,
    values: [importId],
  })
  if (ended > 0) await recordEventsBy(tx, actor, [{ type: 'import.reverted', objectId: importId }])
}

const notReverted: ImportError = {
  code: 'revert_failed',
  message: 'The revert failed repeatedly: ask for it once more.',
}

/** Makes an import whose revert broke off for good one that can be reverted. */
export async function giveUpRevert(tx: OrgTx, importId: string): Promise<void> {
  await tx.run({
    text: `
      update import set status = 'failed', finished_at = now(), error = $2
      where org_id = app.org_id() and import_id = $1 and status = 'reverting'`,
    values: [importId, JSON.stringify(notReverted)],
  })
}
