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
  { entity, rawColumn, column, field }: Referrer,
  recordId: string,
  after: string,
): Promise<string | null> {
  const id = `${entity}_id`
  const rows = await tx.rows<{ record_id: string }>({
    // Past the rows before: their index entries are there until a vacuum, and each lot would go over all of them.
    text: `
      with lot as (
        select r.${id} from ${entity} r where r.org_id = $1 and r.${column} = $2 and r.${id} > $3::uuid
        order by r.${id} limit ${rowsPerLot} for no key update)
      update ${entity} t
      set ${rawColumn} = null, ${column} = null, version = t.version + 1, updated_at = ${touched('t')}
      from lot where t.org_id = $1 and t.${id} = lot.${id}
      returning t.${id} as record_id`,
    values: [actor.orgId, recordId, after],
  })
  const ids = rows.map((row) => row.record_id).sort()
  const changes = ids.map((objectId) => ({ type: `${entity}.updated`, objectId, changed: [field] }))
  if (changes.length > 0) await recordEvents(tx, actor, changes)
  return ids.length < rowsPerLot ? null : ids.at(-1)!
}
