import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { minUuid } from './min-uuid.ts'
import type { RecordType, Referrer } from './record-type.ts'
import { nextUpdatedAt } from './updated-at.ts'

/** The maximum number of records that one statement changes. More records would make it slow. */
const recordsPerBatch = 1_000

/** References with the raw ids `rawIds` move from one canonical record to another. */
export type ReferenceMove = { rawIds: readonly string[]; from: string; to: string }

/** `last` is the last changed id; null after the last batch. */
export type Batch = { changed: number; last: string | null }

/**
 * Clears all references to a record and to the records that it absorbed. Each referrer gets a new version and an event.
 * Lock the record for delete first: no reference can then be added.
 */
export async function clearReferrers(tx: OrgTx, type: RecordType, recordId: string): Promise<void> {
  await inBatches(type, (referrer, after) =>
    changeBatch(tx, referrer, clearChange(referrer, recordId), after),
  )
}

/**
 * Moves references to their new canonical record. The raw ids do not change. Each referrer gets a new version and an
 * event. Lock both canonical records for delete first.
 * @returns the number of referrers
 */
export function moveReferrers(tx: OrgTx, type: RecordType, move: ReferenceMove): Promise<number> {
  return inBatches(type, (referrer, after) => moveBatch(tx, referrer, move, after))
}

/** Moves the next batch, in id order. */
export function moveBatch(tx: OrgTx, referrer: Referrer, move: ReferenceMove, after: string): Promise<Batch> {
  return changeBatch(tx, referrer, moveChange(referrer, move), after)
}

async function inBatches(
  type: RecordType,
  change: (referrer: Referrer, after: string) => Promise<Batch>,
): Promise<number> {
  let changed = 0
  for (const referrer of type.referrers) {
    for (let after: string | null = minUuid; after !== null; ) {
      const batch: Batch = await change(referrer, after)
      changed += batch.changed
      after = batch.last
    }
  }
  return changed
}

/** SQL: which rows refer to the record, the new columns of a row, and the change of links. */
type Change = { which(row: Sql): Sql; set: Sql; relink: Sql }

function clearChange({ rawColumn, column, table }: Referrer, recordId: string): Change {
  const [raw, canonical] = [rawSql(rawColumn), rawSql(column)]
  return {
    which: (row) => sql`${row}.${canonical} = ${recordId}`,
    set: sql`${raw} = null, ${canonical} = null, `,
    relink: sql`delete from ${rawSql(table ?? '')} l using batch`,
  }
}

function moveChange({ rawColumn, column, table }: Referrer, { rawIds, from, to }: ReferenceMove): Change {
  const [raw, canonical] = [rawSql(rawColumn), rawSql(column)]
  return {
    which: (row) => sql`${row}.${canonical} = ${from} and ${row}.${raw} = any(${rawIds}::uuid[])`,
    set: sql`${canonical} = ${to}, `,
    relink: sql`update ${rawSql(table ?? '')} l set ${canonical} = ${to} from batch`,
  }
}

/** Changes the next records, whose ids come after `after`. */
async function changeBatch(
  tx: OrgTx,
  { entity, field, table }: Referrer,
  { which, set, relink }: Change,
  after: string,
): Promise<Batch> {
  const [records, id, l, r] = [rawSql(entity), rawSql(`${entity}_id`), rawSql('l'), rawSql('r')]
  const limit = rawSql(`limit ${recordsPerBatch}`)
  // Skip absorbed records: an undo resolves their references again. Start after the last id: each batch would scan
  // the dead index entries of earlier batches otherwise.
  const chosen = table
    ? sql`r.${id} = any(array(
        select distinct l.${id} from ${rawSql(table)} l
        join ${records} n on n.org_id = l.org_id and n.${id} = l.${id} and n.status <> 'merged'
        where l.org_id = ${tx.orgId} and ${which(l)} and l.${id} > ${after}::uuid
        order by l.${id} ${limit}))`
    : sql`${which(r)} and r.${id} > ${after}::uuid and r.status <> 'merged'`
  const relinked = table
    ? sql`, relinked as (${relink} where l.org_id = ${tx.orgId} and ${which(l)} and l.${id} = batch.${id})`
    : sql``
  const rows = await tx.rows(sql<{ record_id: string }>`
    with batch as (
      select r.${id} from ${records} r
      where r.org_id = ${tx.orgId} and ${chosen} order by r.${id} ${limit} for no key update
    )${relinked}
    update ${records} t set ${table ? sql`` : set}version = t.version + 1, updated_at = ${nextUpdatedAt('t')}
    from batch where t.org_id = ${tx.orgId} and t.${id} = batch.${id}
    returning t.${id} as record_id`)
  const ids = rows.map((row) => row.record_id).sort()
  const changes = ids.map((objectId) => ({ type: `${entity}.updated` as const, objectId, changed: [field] }))
  if (changes.length > 0) await recordEvents(tx, changes)
  return { changed: ids.length, last: ids.length < recordsPerBatch ? null : (ids.at(-1) ?? null) }
}
