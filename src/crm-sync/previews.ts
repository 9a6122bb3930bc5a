import type { Actor } from '../platform/actor.ts'
import type { Org } from '../platform/db/org.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { CrmKind } from './adapters/adapter.ts'
import { namedConnection } from './connections.ts'
import { fieldMapOf, mapPerson } from './field-map.ts'
import { askedBy, countKnown, countPeople, countSkipped, peopleOf, readPeople } from './people.ts'
import type { Population, PreviewAnswer } from './schema.ts'
import { readSettings } from './settings.ts'

const sampleSize = 5

/**
 * Returns who would be pushed, and with which fields. Writes nothing.
 * @throws ValidationError; DomainError not_found if the connection or the segment does not exist
 */
export async function preview(
  org: Org,
  { mode }: Pick<Actor, 'mode'>,
  kind: CrmKind,
  { connection_id: connectionId, ...population }: Population & { connection_id: string },
): Promise<PreviewAnswer> {
  const target = { connectionId, mode, kind }
  const asked = await askedBy(org, population)
  const people = await peopleOf(org, target, asked)
  return org.read(async (tx) => {
    const connection = await namedConnection(tx, connectionId)
    const [count, known, { threshold }, skipped, sampled] = await Promise.all([
      countPeople(tx, people),
      countKnown(tx, target, people),
      readSettings(tx),
      countSkipped(tx, target, asked),
      tx.rows(sql<{ contact_id: string }>`
        select contact_id from (${people}) asked order by contact_id desc limit ${rawSql(String(sampleSize))}`),
    ])
    const ids = sampled.map((row) => row.contact_id)
    const map = fieldMapOf(connection.provider, kind, connection.field_map)
    const read = await readPeople(tx, ids)
    return {
      ...{ count, threshold, confirmation_required: count > threshold },
      ...{ would_create: count - known, would_update: known, skipped },
      sample: ids.flatMap((id) => {
        const found = read.get(id)
        return found ? [mapPerson(connection.provider, kind, map, found.person)] : []
      }),
    }
  })
}
