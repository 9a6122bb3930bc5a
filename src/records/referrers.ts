import { type Actor, recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { beforeAll } from './before-all.ts'
import type { RecordType, Referrer } from './record-type.ts'
import { touched } from './touched.ts'

/** Records that one statement changes: however many there are, none runs long, and no more ids than these are held. */
const recordsPerLot = 1_000

/** From what stood for the records `rawIds` until now to what stands for them from now on. */
export type Move = { rawIds: readonly string[]; from: string; to: string }

/** What a lot did; `last`: where the next one goes on, null if there is none. */
export type Lot = { changed: number; last: string | null }

/**
 * Takes a record, and those that it absorbed, out of all records that name it. Each of them gets a new version and an
 * event. The record is locked as one that ends, so that nobody comes to name it meanwhile.
 */
export async function clearReferrers(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  recordId: string,
): Promise<void> {
  await inLots(type, (referrer, after) =>
    changeLot(tx, actor, referrer, clearing(referrer), [actor.orgId, after, recordId]),
  )
}

/**
 * Moves records that name any of `rawIds` to the record that stands for these now. What they named stays as it was
 * written. Each gets a new version and an event. Both roots are locked as ones that end.
 * @returns how many there were
 */
export function moveReferrers(tx: Tx, actor: Actor, type: RecordType, move: Move): Promise<number> {
  return inLots(type, (referrer, after) => moveLot(tx, actor, referrer, move, after))
}

/** Moves the next records in the order of their ids. */
export function moveLot(
  tx: Tx,
  actor: Actor,
  referrer: Referrer,
  { rawIds, from, to }: Move,
  after: string,
): Promise<Lot> {
  return changeLot(tx, actor, referrer, moving(referrer), [actor.orgId, after, from, rawIds, to])
}

async function inLots(
  type: RecordType,
  change: (referrer: Referrer, after: string) => Promise<Lot>,
): Promise<number> {
  let changed = 0
  for (const referrer of type.referrers) {
    for (let after: string | null = beforeAll; after !== null; ) {
      const lot: Lot = await change(referrer, after)
      changed += lot.changed
      after = lot.last
    }
  }
  return changed
}

/**
 * SQL of a change: which rows name the record of $3, by their alias; what becomes of a row with a column for it; and
 * of links to it.
 */
type Change = { which(alias: string): string; set: string; relink: string }

const clearing = ({ rawColumn, column, table }: Referrer): Change => ({
  which: (alias) => `${alias}.${column} = $3`,
  set: `${rawColumn} = null, ${column} = null, `,
  relink: `delete from ${table} l using lot`,
})

const moving = ({ rawColumn, column, table }: Referrer): Change => ({
  which: (alias) => `${alias}.${column} = $3 and ${alias}.${rawColumn} = any($4::uuid[])`,
  set: `${column} = $5, `,
  relink: `update ${table} l set ${column} = $5 from lot`,
})

/** Changes the next records after the one of $2. */
async function changeLot(
  tx: Tx,
  actor: Actor,
  { entity, field, table }: Referrer,
  { which, set, relink }: Change,
  values: readonly unknown[],
): Promise<Lot> {
  const id = `${entity}_id`
  // An absorbed record shows nothing: what stands for it is changed by itself, and who restores it looks up what it names.
  // It begins past the lot before, whose index entries are there until a vacuum: each lot would go over all of them.
  const linking = `
    select distinct l.${id} from ${table} l
    join ${entity} n on n.org_id = l.org_id and n.${id} = l.${id} and n.status <> 'merged'
    where l.org_id = $1 and ${which('l')} and l.${id} > $2::uuid
    order by l.${id} limit ${recordsPerLot}`
  const chosen = table
    ? `r.${id} = any(array(${linking}))`
    : `${which('r')} and r.${id} > $2::uuid and r.status <> 'merged'`
  const relinked = `, relinked as (${relink} where l.org_id = $1 and ${which('l')} and l.${id} = lot.${id})`
  const rows = await tx.rows<{ record_id: string }>({
    text: `
      with lot as (
        select r.${id} from ${entity} r
        where r.org_id = $1 and ${chosen} order by r.${id} limit ${recordsPerLot} for no key update
      )${table ? relinked : ''}
      update ${entity} t set ${table ? '' : set}version = t.version + 1, updated_at = ${touched('t')}
      from lot where t.org_id = $1 and t.${id} = lot.${id}
      returning t.${id} as record_id`,
    values,
  })
  const ids = rows.map((row) => row.record_id).sort()
  const changes = ids.map((objectId) => ({ type: `${entity}.updated` as const, objectId, changed: [field] }))
  if (changes.length > 0) await recordEvents(tx, actor, changes)
  return { changed: ids.length, last: ids.length < recordsPerLot ? null : ids.at(-1)! }
}
