import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { minUuid } from './min-uuid.ts'
import type { RecordType, Referrer } from './record-type.ts'
import { nextUpdatedAt } from './updated-at.ts'

/** Records that one statement changes, so that no statement runs long. */
const recordsPerBatch = 1_000

/** The move of references with the raw ids `rawIds` from one canonical record to another. */
export type Move = { rawIds: readonly string[]; from: string; to: string }

/** The result of a batch; `last` is the last id, or null after the last batch. */
export type Batch = { changed: number; last: string | null }

/**
 * Clears all references to a record and to those that it absorbed. Each referrer gets a new version and an event. The
 * record must be locked for delete, so that no reference is added meanwhile.
 */
export async function clearReferrers(tx: OrgTx, type: RecordType, recordId: string): Promise<void> {
  await inBatches(type, (referrer, after) =>
    changeBatch(tx, referrer, clearing(referrer), [tx.orgId, after, recordId]),
  )
}

/**
 * Moves references with any of `rawIds` to their new canonical record. The raw ids stay as written. Each referrer
 * gets a new version and an event. Both canonical records must be locked for delete.
 * @returns how many referrers there were
 */
export function moveReferrers(tx: OrgTx, type: RecordType, move: Move): Promise<number> {
  return inBatches(type, (referrer, after) => moveBatch(tx, referrer, move, after))
}

/** Moves the next batch, in id order. */
export function moveBatch(
  tx: OrgTx,
  referrer: Referrer,
  { rawIds, from, to }: Move,
  after: string,
): Promise<Batch> {
  return changeBatch(tx, referrer, moving(referrer), [tx.orgId, after, from, rawIds, to])
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

/** SQL of a change: which rows refer to the record of $3, the new columns of a row, and the change of links. */
type Change = { which(alias: string): string; set: string; relink: string }

const clearing = ({ rawColumn, column, table }: Referrer): Change => ({
  which: (alias) => `${alias}.${column} = $3`,
  set: `${rawColumn} = null, ${column} = null, `,
  relink: `delete from ${table} l using batch`,
})

const moving = ({ rawColumn, column, table }: Referrer): Change => ({
  which: (alias) => `${alias}.${column} = $3 and ${alias}.${rawColumn} = any($4::uuid[])`,
  set: `${column} = $5, `,
  relink: `update ${table} l set ${column} = $5 from batch`,
})

/** Changes the next records after the id in $2. */
async function changeBatch(
  tx: OrgTx,
  { entity, field, table }: Referrer,
  { which, set, relink }: Change,
  values: readonly unknown[],
): Promise<Batch> {
  const id = `${entity}_id`
  // Skips absorbed records: their canonical record is changed, and an undo resolves references again. Starts after
  // the last batch: its dead index entries would be scanned again by each batch.
  const linking = `
    select distinct l.${id} from ${table} l
    join ${entity} n on n.org_id = l.org_id and n.${id} = l.${id} and n.status <> 'merged'
    where l.org_id = $1 and ${which('l')} and l.${id} > $2::uuid
    order by l.${id} limit ${recordsPerBatch}`
  const chosen = table
    ? `r.${id} = any(array(${linking}))`
    : `${which('r')} and r.${id} > $2::uuid and r.status <> 'merged'`
  const relinked = `, relinked as (${relink} where l.org_id = $1 and ${which('l')} and l.${id} = batch.${id})`
  const rows = await tx.rows<{ record_id: string }>({
    text: `
      with batch as (
        select r.${id} from ${entity} r
        where r.org_id = $1 and ${chosen} order by r.${id} limit ${recordsPerBatch} for no key update
      )${table ? relinked : ''}
      update ${entity} t set ${table ? '' : set}version = t.version + 1, updated_at = ${nextUpdatedAt('t')}
      from batch where t.org_id = $1 and t.${id} = batch.${id}
      returning t.${id} as record_id`,
    values,
  })
  const ids = rows.map((row) => row.record_id).sort()
  const changes = ids.map((objectId) => ({ type: `${entity}.updated` as const, objectId, changed: [field] }))
  if (changes.length > 0) await recordEvents(tx, changes)
  return { changed: ids.length, last: ids.length < recordsPerBatch ? null : (ids.at(-1) ?? null) }
}
