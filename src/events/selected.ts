import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { actorJson } from './actor.ts'
import { isWanted, type LogEvent, type WantedTypes } from './position.ts'

const actor = rawSql(actorJson('e'))

type Row = Omit<LogEvent, 'createdAt'>

/** Events of the organization by their ids, in id order. Missing events are left out. */
export function readEventsById(tx: OrgTx, eventIds: readonly string[]): Promise<LogEvent[]> {
  return readSelected(tx, sql`event_id = any (${eventIds}::uuid[])`, eventIds.length)
}

export type EventRange = {
  /** The event before the range; it is excluded. */
  after: string
  /** The first id after the range. */
  before: string
  wanted: WantedTypes
  limit: number
}

/** Returns the first events of a range of ids, in the order of their ids. */
export function readEventsBetween(
  tx: OrgTx,
  { after, before, wanted, limit }: EventRange,
): Promise<LogEvent[]> {
  return readSelected(
    tx,
    sql`event_id > ${after}::uuid and event_id < ${before}::uuid and ${isWanted(wanted)}`,
    limit,
  )
}

async function readSelected(tx: OrgTx, condition: Sql, limit: number): Promise<LogEvent[]> {
  const rows = await tx.rows(sql<Row>`
    select event_id as "eventId", type, object_id as "objectId", api_key_id as "apiKeyId", ${actor} as actor, mode,
      changed, data, traceparent
    from event e where org_id = ${tx.orgId} and ${condition} order by event_id limit ${limit}`)
  return rows.map((row) => ({ ...row, createdAt: timeOf(row.eventId) }))
}
