import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { deleteOldReports } from './counts.ts'
import { firstKeptDay } from './days.ts'
import { deleteOldFacts } from './identity-facts.ts'
import { deleteOldVisitors } from './visitors.ts'

const rowsPerDelete = 5_000

type ShortRetention = { org_id: string; retention_days: number }

/**
 * Deletes the old events of organizations that keep them for fewer days than the server, in small transactions. Returns
 * the number of deleted events.
 */
export async function deleteOldEvents(
  scope: SystemScope,
  keptDays: number,
  { now = Date.now(), stopping = () => false }: { now?: number; stopping?: () => boolean } = {},
): Promise<number> {
  const short = await scope.read((tx) =>
    tx.rows(sql<ShortRetention>`
      select org_id, retention_days from tracking_settings where retention_days < ${keptDays} order by org_id`),
  )
  let deleted = 0
  for (const { org_id: orgId, retention_days: days } of short) {
    for (;;) {
      if (stopping()) return deleted
      const found = await deleteSome(scope, orgId, firstKeptDay(days, now))
      if (found === null) break
      deleted += found
    }
    await deleteOldVisitors(scope, firstKeptDay(days, now), orgId)
    await deleteOldReports(scope, firstKeptDay(days, now), orgId)
    await deleteOldFacts(scope, firstKeptDay(days, now), orgId)
  }
  return deleted
}

/** Deletes some events of the oldest day before `firstKept`. Returns their number; null: there is no such day. */
function deleteSome(scope: SystemScope, orgId: string, firstKept: string): Promise<number | null> {
  return scope.transact(async (tx) => {
    const oldest = await tx.first(sql<{ day: string | null }>`
      select min(day)::text as day from web_event where org_id = ${orgId} and day < ${firstKept}::date`)
    if (!oldest?.day) return null
    return tx.run(sql`
      delete from web_event where org_id = ${orgId} and day = ${oldest.day}::date and message_key = any(array(
        select message_key from web_event where org_id = ${orgId} and day = ${oldest.day}::date limit ${rowsPerDelete}))`)
  })
}
