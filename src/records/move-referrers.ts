import { type Actor, recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { RecordType, Referrer } from './record-type.ts'
import { touched } from './touched.ts'

/** Rows that one statement changes: however many there are, none runs long, and no more ids than these are held. */
const rowsPerLot = 1_000
export const beforeAll = '00000000-0000-0000-0000-000000000000'

/** From what stood for the records `rawIds` until now to what stands for them from now on. */
export type Move = { rawIds: readonly string[]; from: string; to: string }

/**
 * Moves records that name any of `rawIds` to the record that stands for these now. What they named stays as it was
 * written. Each gets a new version and an event. Both roots are locked as ones that end.
 * @returns how many there were
 */
export async function moveReferrers(tx: Tx, actor: Actor, type: RecordType, move: Move): Promise<number> {
  let moved = 0
  for (const referrer of type.referrers) {
    let after: string | null = beforeAll
    while (after !== null) {
      const lot: Lot = await moveLot(tx, actor, referrer, move, after)
      moved += lot.moved
      after = lot.last
    }
  }
  return moved
}

/** What a lot did; `last`: where the next one goes on, null if there is none. */
export type Lot = { moved: number; last: string | null }

/** Moves the next rows in the order of their ids. */
export async function moveLot(
  tx: Tx,
  actor: Actor,
  referrer: Referrer,
  { rawIds, from, to }: Move,
  after: string,
): Promise<Lot> {
  const { entity, field } = referrer
  const id = `${entity}_id`
  const { lot, moving, set } = referrer.table ? linked(referrer, referrer.table) : named(referrer)
  const rows = await tx.rows<{ record_id: string }>({
    text: `
      with lot as (${lot} order by r.${id} limit ${rowsPerLot} for no key update)${moving}
      update ${entity} t set ${set}version = t.version + 1, updated_at = ${touched('t')}
      from lot where t.org_id = $1 and t.${id} = lot.${id}
      returning t.${id} as record_id`,
    values: [actor.orgId, from, rawIds, to, after],
  })
  const moved = rows.map((row) => row.record_id).sort()
  const changes = moved.map((objectId) => ({ type: `${entity}.updated`, objectId, changed: [field] }))
  if (changes.length > 0) await recordEvents(tx, actor, changes)
  return { moved: moved.length, last: moved.length < rowsPerLot ? null : moved.at(-1)! }
}

// An absorbed record shows nothing: what stands for it is moved by itself, and who restores it looks up what it names.

/** SQL of the records to move, of what goes with their update, and of the columns in it. */
type Moving = { lot: string; moving: string; set: string }

function named({ entity, rawColumn, column }: Referrer): Moving {
  return {
    lot: `
      select r.${entity}_id from ${entity} r
      where r.org_id = $1 and r.${column} = $2 and r.${rawColumn} = any($3::uuid[]) and r.${entity}_id > $5::uuid
        and r.status <> 'merged'`,
    moving: '',
    set: `${column} = $4, `,
  }
}

function linked({ entity, rawColumn, column }: Referrer, table: string): Moving {
  const id = `${entity}_id`
  const linking = `
    select distinct l.${id} from ${table} l
    join ${entity} n on n.org_id = l.org_id and n.${id} = l.${id} and n.status <> 'merged'
    where l.org_id = $1 and l.${column} = $2 and l.${rawColumn} = any($3::uuid[]) and l.${id} > $5::uuid
    order by l.${id} limit ${rowsPerLot}`
  return {
    lot: `select r.${id} from ${entity} r where r.org_id = $1 and r.${id} = any(array(${linking}))`,
    moving: `,
      moved as (
        update ${table} l set ${column} = $4 from lot
        where l.org_id = $1 and l.${column} = $2 and l.${rawColumn} = any($3::uuid[]) and l.${id} = lot.${id})`,
    set: '',
  }
}
