import { type Actor, recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { RecordType, Referrer } from './record-type.ts'
import { touched } from './touched.ts'

/** Rows that one statement changes: however many there are, none runs long, and no more ids than these are held. */
const rowsPerLot = 1_000
const beforeAll = '00000000-0000-0000-0000-000000000000'

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
  for (const referrer of type.referrers) {
    let after: string | null = beforeAll
    while (after !== null) after = await clearLot(tx, actor, referrer, recordId, after)
  }
}

/** Clears the next rows in the order of their ids; the last of them, null if there are no more. */
async function clearLot(
  tx: Tx,
  actor: Actor,
  referrer: Referrer,
  recordId: string,
  after: string,
): Promise<string | null> {
  const { entity, field } = referrer
  const id = `${entity}_id`
  const { lot, clearing, cleared } = referrer.table ? linked(referrer, referrer.table) : named(referrer)
  const rows = await tx.rows<{ record_id: string }>({
    text: `
      with lot as (${lot} order by r.${id} limit ${rowsPerLot} for no key update)${clearing}
      update ${entity} t
      set ${cleared}version = t.version + 1, updated_at = ${touched('t')}
      from lot where t.org_id = $1 and t.${id} = lot.${id}
      returning t.${id} as record_id`,
    values: [actor.orgId, recordId, after],
  })
  const ids = rows.map((row) => row.record_id).sort()
  const changes = ids.map((objectId) => ({ type: `${entity}.updated`, objectId, changed: [field] }))
  if (changes.length > 0) await recordEvents(tx, actor, changes)
  return ids.length < rowsPerLot ? null : ids.at(-1)!
}

/** SQL of the records to clear, of what goes before their update, and of the columns in it. */
type Clearing = { lot: string; clearing: string; cleared: string }

// Both begin past the rows before: their index entries are there until a vacuum, and each lot would go over all of them.

function named({ entity, rawColumn, column }: Referrer): Clearing {
  return {
    lot: `select r.${entity}_id from ${entity} r where r.org_id = $1 and r.${column} = $2 and r.${entity}_id > $3::uuid`,
    clearing: '',
    cleared: `${rawColumn} = null, ${column} = null, `,
  }
}

function linked({ entity, column }: Referrer, table: string): Clearing {
  const id = `${entity}_id`
  const linking = `
    select distinct l.${id} from ${table} l
    where l.org_id = $1 and l.${column} = $2 and l.${id} > $3::uuid order by l.${id} limit ${rowsPerLot}`
  return {
    lot: `select r.${id} from ${entity} r where r.org_id = $1 and r.${id} = any(array(${linking}))`,
    clearing: `,
      unlinked as (delete from ${table} l using lot where l.org_id = $1 and l.${column} = $2 and l.${id} = lot.${id})`,
    cleared: '',
  }
}
